import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct JSONPrinterTests {
  @Test func `One object holds the posts and outcomes of ndjson`() throws {
    let posts = [try Samples.full(), try Samples.bare(), try Samples.hostile()]
    let outcomes = try Samples.outcomes()
    func written(by printer: any PostPrinter) -> String {
      Samples.written(
        by: printer, posts, outcomes: outcomes, isIncomplete: true,
        excluded: FilterTally([.reposts]))
    }
    let lines = written(by: NDJSONPrinter()).split(separator: "\n")
    #expect(
      written(by: JSONPrinter())
        == "{\"posts\":[\n\(lines[0]),\n\(lines[1]),\n\(lines[2])\n],\(lines[3].dropFirst())\n")
  }

  @Test func `Without posts the object is on one line`() {
    #expect(
      Samples.written(by: JSONPrinter(), [])
        == #"{"posts":[],"outcomes":[],"incomplete":false}"# + "\n")
  }

  @Test func `Pieces of a large output are joined by commas`() throws {
    let posts = try (0..<3_000).map { try Samples.bare("\($0)") }
    let printed = Samples.written(by: JSONPrinter(), posts)
    #expect(printed.split(separator: "\n").filter { $0.hasSuffix("},") }.count == 2_999)
    #expect(!printed.contains(",,"))
  }

  @Test func `Without the outcomes only posts are printed, in any order of their fields`() throws {
    let fields = try FieldSelection(parsing: "likes,url,name,id,counts.views")
    let contents = RecordContents(fields: fields, isPostsOnly: true)
    let post =
      #"{"counts":{"likes":3,"views":0},"url":"https://mastodon.social/@ada/1","#
      + #""author":{"name":"Ada 日本"},"id":"10765432100123456789"}"#
    let outcomes = try Samples.outcomes()
    #expect(
      Samples.written(by: NDJSONPrinter(contents), [try Samples.full()], outcomes: outcomes)
        == post + "\n")
    #expect(
      Samples.written(by: JSONPrinter(contents), [try Samples.full()], outcomes: outcomes)
        == #"{"posts":["# + "\n" + post + "\n]}\n")
    #expect(
      Samples.written(by: JSONPrinter(contents), [], outcomes: outcomes)
        == #"{"posts":[]}"# + "\n")
  }

  @Test func `Chosen fields keep their order, and groups stand for their members`() throws {
    let fields = try FieldSelection(parsing: "url, author,counts.likes")
    #expect(
      Samples.written(by: NDJSONPrinter(RecordContents(fields: fields)), [try Samples.full()])
        == #"{"url":"https://mastodon.social/@ada/1","author":{"handle":"ada@mastodon.social","#
        + #""name":"Ada 日本","url":"https://mastodon.social/@ada"},"counts":{"likes":3}}"#
        + "\n" + #"{"outcomes":[],"incomplete":false}"# + "\n")
  }

  @Test(arguments: ["handles", "", "url,,id", "author.", "Author"])
  func `An unknown field is an error that names it`(text: String) {
    #expect(throws: UnknownField.self) { try FieldSelection(parsing: text) }
  }
}
