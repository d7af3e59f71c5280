import Foundation
import SearchModel
import Testing

@testable import SearchSources

/// The part of docs/networks.md that is about the catalog. `UPDATE_GOLDEN=1` writes it anew.
@Suite struct CatalogDocumentTests {
  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/networks.md")
  private static let start = "<!-- The catalog's own facts: -->\n"
  private static let end = "<!-- end of the catalog -->"

  @Test func `The page about networks tells what the declarations tell`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let head = try #require(text.firstRange(of: Self.start))
    let tail = try #require(text.firstRange(of: Self.end))
    let expected = "\n" + (try Catalog.Subject.allCases.map(Self.section).joined(separator: "\n"))
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      let changed = text[..<head.upperBound] + expected + text[tail.lowerBound...]
      try String(changed).write(to: Self.page, atomically: true, encoding: .utf8)
      return
    }
    #expect(text[head.upperBound..<tail.lowerBound] == expected)
  }

  private static func section(_ subject: Catalog.Subject) throws -> String {
    let rows = try Catalog.entries(about: subject).map(row)
    return """
      ### \(subject.rawValue.capitalized)

      | source | asks | needs | limits | left out | unsure |
      | --- | --- | --- | --- | --- | --- |
      \(rows.joined(separator: "\n"))

      """
  }

  private static func row(_ entry: Catalog.Entry) throws -> String {
    let network = try entry.network()
    let facts = network.facts
    let title = try #require(facts.title)
    let name = facts.documentation.map { "[\(title)](\($0))" } ?? title
    let credentials = network.traits.credentialNames.map { "`\($0)`" }.joined(separator: ", ")
    let address = network.traits.defaultServer == nil ? "an address" : "nothing"
    let cells = [
      "`\(entry.name)`", "\(name): \(try #require(facts.what))",
      address + (credentials.isEmpty ? "" : "; more with \(credentials)"), facts.limits ?? "",
      facts.lost.joined(separator: "; "), facts.unsure.joined(separator: "; "),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
