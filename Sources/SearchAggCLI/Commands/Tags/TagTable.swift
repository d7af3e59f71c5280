internal import SearchModel
internal import TagStorage
internal import TextFormats

/// The tags as a table for people; a column that would be empty is left out.
struct TagTable {
  let tags: [SearchTag]

  /// The table, a line break behind each line; nothing without tags.
  var text: String {
    guard !tags.isEmpty else { return "" }
    return TextTable(columns: [
      ["ADDED"] + tags.map { $0.added.map { String(RFC3339.format($0).prefix(10)) } ?? "" },
      ["PRIORITY"] + tags.map { $0.priority?.rawValue ?? "" },
      ["LIMIT"] + tags.map { $0.limit.map { String($0) } ?? "" },
      ["SOURCES"] + tags.map { sources(of: $0) },
      // The query comes last: how wide a terminal draws it does not matter there.
      ["QUERY"] + tags.map(\.query.text),
    ]).text
  }

  private func sources(of tag: SearchTag) -> String {
    (tag.sources ?? []).map(\.rawValue).joined(separator: ",")
  }
}
