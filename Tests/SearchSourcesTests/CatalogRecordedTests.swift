import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The catalog over answers recorded from the real services, where they are present.
@Suite struct CatalogRecordedTests {
  private static let recordings = Recorded.all.filter { !$0.files("catalog").isEmpty }

  private func source(of folder: String) throws -> any DeclaredSource {
    let name = folder.replacing("_", with: "-")
    return try #require(Catalog.entry(named: name)).network()
  }

  /// A page of an answer, as if its network had been asked for it.
  private func page(
    _ path: String, status: Int = 200, of recorded: Recorded, by source: any DeclaredSource
  ) throws -> Page {
    let server =
      try server(of: path, recorded) ?? source.traits.defaultServer ?? "https://server.example"
    return try source.read(
      recorded.answer(path, status: status), to: source.asking("#x", at: server))
  }

  /// The server that was asked for an answer, where that was recorded.
  private func server(of path: String, _ recorded: Recorded) throws -> String? {
    let row = try recorded.table("catalog/INDEX.tsv").first { "catalog/\($0[0])/\($0[1])" == path }
    guard let row, row.count > 3, row[3].hasPrefix("https://") else { return nil }
    return row[3].split(separator: "/", omittingEmptySubsequences: false).prefix(3)
      .joined(separator: "/")
  }

  @Test(arguments: recordings)
  func `Items hold what their service's documentation says`(recorded: Recorded) throws {
    var rows = 0
    var differences: [String] = []
    var pages: [String: Page] = [:]
    for columns in try recorded.table("catalog/EXPECT.tsv") {
      let row = try #require(CatalogExpectation(columns))
      guard !row.isError else { continue }
      rows += 1
      if pages[row.path] == nil {
        pages[row.path] = try page(row.path, of: recorded, by: source(of: row.network))
      }
      let posts = pages[row.path]?.posts ?? []
      guard posts.indices.contains(row.index) else {
        differences.append("\(row.path) \(row.index): missing, of \(posts.count)")
        continue
      }
      differences += row.differences(from: posts[row.index])
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(rows > 100)
  }

  @Test(arguments: recordings)
  func `Every item is read, and every error is an error`(recorded: Recorded) throws {
    var answers = 0
    for row in try recorded.table("catalog/INDEX.tsv") where row.count > 7 {
      let source = try source(of: row[0])
      let path = "catalog/\(row[0])/\(row[1])"
      let status = Int(row[2]) ?? 200
      answers += 1
      guard status == 200, !row[1].contains("error") else {
        #expect(throws: SourceFault.self, "\(path)") {
          try self.page(path, status: status, of: recorded, by: source)
        }
        continue
      }
      let page = try self.page(path, status: status, of: recorded, by: source)
      #expect(page.brokenItems == 0, "\(path)")
      if let items = Int(row[7]) { #expect(page.posts.count == items, "\(path)") }
      for post in page.posts {
        #expect(post.links.allSatisfy { $0.hasPrefix("http") }, "\(path)")
        let words = "\(post.title ?? "")\(post.text)\(post.topics)"
        #expect(!words.contains("&amp;") && !words.contains("</i>"), "\(path) \(post.id)")
      }
    }
    #expect(answers > 50)
  }

  @Test(arguments: recordings)
  func `The next page is named as in recorded answers`(recorded: Recorded) throws {
    func next(_ path: String) throws -> Cursor? {
      let folder = String(path.prefix { $0 != "/" })
      return try page("catalog/\(path)", of: recorded, by: source(of: folder)).next
    }
    for path in [
      "crossref/cursor_p1.json", "crossref/cursor_p3.json", "openalex/rel_ml_cut.json",
      "europepmc/cancer.json", "wikipedia/pinus_en.json", "zenodo/attention_2026.json",
    ] {
      #expect(try next(path) != nil, "\(path)")
    }
    for path in [
      "openalex/vosviewer.json", "europepmc/no_results.json", "gitlab_issues/ogr_issues_page3.json",
      "launchpad/perceval_issues_page_3.json",
      "dblp/literal_nohits.json", "gdelt/literal_empty.json",
    ] {
      #expect(try next(path) == nil, "\(path)")
    }
  }
}
