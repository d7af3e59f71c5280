import Foundation
import SearchModel
import TextFormats

/// What an item of a recorded answer holds by its service's documentation: a row of `EXPECT.tsv`.
struct CatalogExpectation {
  private enum Column: Int {
    case network, file, index, id, url, title, author, created, edited, language, counts, topics
    case note
  }

  private let columns: [String]

  /// Returns nil for a line of another shape.
  init?(_ columns: [String]) {
    guard columns.count > Column.topics.rawValue, Int(columns[Column.index.rawValue]) != nil else {
      return nil
    }
    self.columns = columns
  }

  /// The folder of the answer.
  var network: String { text(.network) }
  var path: String { "catalog/\(network)/\(text(.file))" }
  var index: Int { Int(text(.index)) ?? 0 }
  /// True if the item is an error, and no post.
  var isError: Bool { columns.last?.hasPrefix("ERROR") == true }

  private func text(_ column: Column) -> String { columns[column.rawValue] }

  /// The values of a column, written as JSON or as they are.
  private func values(_ column: Column) -> [String] {
    let text = text(column)
    guard !text.isEmpty else { return [] }
    guard
      let json = try? JSONSerialization.jsonObject(
        with: Data(text.utf8), options: .fragmentsAllowed)
    else { return [text] }
    return (json as? [Any] ?? [json]).compactMap { value in
      (value as? String) ?? (value as? NSNumber)?.stringValue
    }
  }

  /// The count of a post that the table has under a name; nil if a post has no place for it.
  private static func count(_ name: String, of counts: Counts) -> Int?? {
    switch name {
    case "cited_by", "stars", "upvotes", "likes", "favorites": .some(counts.likes)
    case "forks": .some(counts.reposts)
    case "comments", "reviews": .some(counts.replies)
    case "views", "downloads", "installs_last_month": .some(counts.views)
    default: nil
    }
  }

  /// The parts of a post that differ, in words.
  func differences(from post: Post) -> [String] {
    var differences: [String] = []
    func compare(_ column: Column, _ expected: [String], _ found: [String]) {
      guard expected != found else { return }
      differences.append("\(path) \(index) \(column): \(found) instead of \(expected)")
    }
    compare(.id, values(.id), [post.id])
    compare(.url, values(.url), [post.url].compactMap(\.self))
    compare(.title, values(.title).map(Self.plain), [Self.plain(post.title ?? "")])
    compareAuthor(post.author, compare)
    compare(
      .created, values(.created).map(Self.moment),
      [post.createdAt].compactMap(\.self).map(Self.moment))
    // Not every declaration has one, and one that equals the other is left out.
    if let edited = post.editedAt {
      compare(.edited, values(.edited).map(Self.moment), [Self.moment(edited)])
    }
    // A post has one language.
    compare(
      .language, Array(values(.language).prefix(1)), [post.language].compactMap(\.self))
    compareCounts(post.counts, compare)
    compare(.topics, Self.topics(values(.topics)), Self.topics(post.topics))
    return differences
  }

  /// Each expected text is the handle, the name, the page, or one of several names.
  private func compareAuthor(
    _ author: Author, _ compare: (Column, [String], [String]) -> Void
  ) {
    let expected = values(.author)
    let found = [author.handle, author.name ?? "", author.url ?? ""]
    let names = Self.plain(author.name ?? "")
    let missing = expected.filter { !found.contains($0) && !names.contains(Self.plain($0)) }
    if !missing.isEmpty || expected.isEmpty && author.name != nil {
      compare(.author, expected, found)
    }
  }

  private func compareCounts(
    _ counts: Counts, _ compare: (Column, [String], [String]) -> Void
  ) {
    let json = try? JSONSerialization.jsonObject(with: Data(text(.counts).utf8))
    guard var expected = json as? [String: Any] else { return }
    if expected["views"] != nil { expected["downloads"] = nil }
    for (name, value) in expected {
      guard let count = Self.count(name, of: counts) else { continue }
      let number = (value as? NSNumber)?.intValue
      if count != number { compare(.counts, ["\(name) \(number ?? -1)"], ["\(counts)"]) }
    }
  }

  private static func topics(_ topics: [String]) -> [String] {
    var seen: [String] = []
    for topic in topics.map(plain) where !topic.isEmpty && !seen.contains(topic) {
      seen.append(topic)
    }
    return seen
  }

  private static func moment(_ text: String) -> String {
    moment(RFC3339.parse(text, allowing: .shortForms))
  }

  private static func moment(_ date: Date?) -> String { date.map(RFC3339.format) ?? "none" }

  /// The text without markup and with single blanks.
  private static func plain(_ text: String) -> String {
    HTMLText.read(text).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
