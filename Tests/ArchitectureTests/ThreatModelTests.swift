import Testing

/// The table of threats in SECURITY.md, whose last column names tests.
@Suite struct ThreatModelTests {
  /// The cells of each row of the table.
  private static func rows() throws -> [[String]] {
    let lines = try SourceFile.text(of: "SECURITY.md").split(separator: "\n")
    return lines.drop { !$0.hasPrefix("| ---") }.dropFirst().prefix { $0.hasPrefix("|") }.map {
      $0.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
    }
  }

  /// The texts between backticks.
  private static func quoted(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test func `Each threat names a defense, and tests that exist`() throws {
    let names = try Set(
      SourceFile.all(below: "Tests").flatMap(\.lines).compactMap { line in
        line.contains("func `") ? Self.quoted(in: String(line)).first : nil
      })
    #expect(names.count > 1000)
    let rows = try Self.rows()
    #expect(rows.count > 20)
    for row in rows {
      #expect(row.count == 4 && row.allSatisfy { !$0.isEmpty }, "\(row)")
      let tests = Self.quoted(in: row.last ?? "")
      #expect(!tests.isEmpty, "\(row[0]): \(row[1])")
      #expect(tests.filter { !names.contains($0) } == [], "\(row[0])")
    }
  }

  @Test func `Each of those who may send something is in the table`() throws {
    let senders = Set(try Self.rows().compactMap(\.first))
    let known = [
      "a network's response", "a redirect", "`searchagg.json` in the current folder",
      "tags from a stranger's repository", "a recording that you get",
      "the response of a channel (`--notify`)", "a command (`--exec`)", "another local user",
      "the text of a post, on a terminal",
    ]
    #expect(known.filter { !senders.contains($0) } == [])
  }
}
