import Foundation
import QueuedHTTP
import SearchModel
import Testing
import TextFormats

@testable import SearchSources

/// Feeds of all kinds: the fixtures, and those of other readers' test suites where they are present.
@Suite struct FeedRecordedTests {
  private static func read(
    _ path: String, of recorded: Recorded, headers: HTTPHeaders = [:]
  ) throws -> FeedDocument? {
    var response = try recorded.answer(path)
    response.headers = headers
    response.url = "http://127.0.0.1:8097/\(path)"
    let page = try Feed().asking("x", at: "http://127.0.0.1:8097")
    do throws(SourceFault) { return try FeedAnswer.read(response, to: page) } catch { return nil }
  }

  /// `Name: value` as a table has it.
  private static func headers(_ text: String) -> HTTPHeaders {
    var headers = HTTPHeaders()
    let halves = text.split(separator: ":", maxSplits: 1)
    if halves.count == 2 {
      headers.append(String(halves[0]), halves[1].trimmingCharacters(in: .whitespaces))
    }
    return headers
  }

  @Test(arguments: Recorded.all)
  func `Title, link, date and author are those that feedparser expects`(recorded: Recorded) throws {
    var lines = 0
    var broken: [String] = []
    for row in try recorded.table("FEEDS_EXPECT.tsv") where row.count >= 3 {
      let expectation = FeedExpectation(row[2])
      guard !expectation.clauses.isEmpty else { continue }
      lines += 1
      let feed = try Self.read(
        row[0], of: recorded, headers: Self.headers(row.count > 3 ? row[3] : ""))
      for clause in expectation.broken(by: feed) { broken.append("\(row[0]): \(clause)") }
    }
    // All of them, so that there is nothing to list with a reason.
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
    #expect(lines >= 50)
  }

  @Test(arguments: Recorded.all)
  func `Every recorded feed is read, and anything else is rejected`(recorded: Recorded) throws {
    // Parts of feeds, and answers of other readers.
    let others = [
      "TechCrunchFirstEntry.xml", "iso88591_utf8_mismatch.xml", ".serde.json", "-partial.json",
    ]
    var read = 0
    for path in recorded.files("feeds") {
      let isGofeedAnswer = path.hasPrefix("gofeed") && path.hasSuffix(".json")
      let feed = try Self.read("feeds/\(path)", of: recorded)
      guard !isGofeedAnswer else { continue }
      #expect((feed != nil) == !others.contains { path.hasSuffix($0) }, "\(path)")
      guard let feed else { continue }
      read += 1
      #expect(feed.isCut == path.contains("incomplete_cdata"), "\(path)")
      for entry in feed.entries {
        #expect(!entry.isEmpty && entry.title?.contains { $0.isNewline } != true, "\(path)")
        let addresses = entry.links + entry.media + [entry.link].compactMap(\.self)
        #expect(addresses.allSatisfy { $0.isHTTPURL && !$0.contains("&#38;") }, "\(path)")
      }
    }
    #expect(read > 0)
  }

  @Test(arguments: Recorded.all)
  func `Title, link, date and author are those that gofeed reads`(recorded: Recorded) throws {
    var compared = 0
    for path in recorded.files("feeds/gofeed") where path.hasSuffix(".json") {
      let answer = try recorded.answer("feeds/gofeed/\(path)")
      guard
        let json = try JSONSerialization.jsonObject(with: Data(answer.body.text.utf8))
          as? [String: Any],
        let feed = try Self.read(
          "feeds/gofeed/\(path.replacing(".json", with: ".xml"))", of: recorded)
      else { continue }
      compared += 1
      func check(_ expected: [String: Any], _ title: String?, _ link: String?) {
        if let text = (expected["title"] as? String).map(\.onOneLine), !text.isEmpty {
          let plain = HTMLText.read(text).text.onOneLine
          #expect(title == text || title == plain, "\(path)")
        }
        let address = expected["link"] as? String ?? (expected["links"] as? [String])?.first
        if let address, address.isHTTPURL { #expect(link == address, "\(path)") }
      }
      check(json, feed.title, feed.link)
      let entries = (json["items"] ?? json["entries"]) as? [[String: Any]] ?? []
      guard entries.count == feed.entries.count else { continue }
      for (expected, entry) in zip(entries, feed.entries) {
        check(expected, entry.title, entry.link)
        let date = (expected["published"] ?? expected["pubDate"]) as? String
        if let moment = date.flatMap(LooseDate.parse) { #expect(entry.date == moment, "\(path)") }
        let author = (expected["authors"] as? [[String: Any]])?.first?["name"] as? String
        if let author { #expect(entry.authors.first?.name == author, "\(path)") }
      }
    }
    #expect(compared > 0)
  }
}
