internal import SearchModel
internal import TagStorage
internal import TextFormats

/// The tags as a table for people; a column that would be empty is left out.
struct TagTable {
  let tags: [SearchTag]

  /// The table, a line break behind each line; nothing without tags.
  var text: String {
    guard !tags.isEmpty else { return "" }
    var columns = [
      ["ADDED"] + tags.map { $0.added.map { String(RFC3339.format($0).prefix(10)) } ?? "" },
      ["PRIORITY"] + tags.map { $0.priority?.rawValue ?? "" },
      ["LIMIT"] + tags.map { $0.limit.map { String($0) } ?? "" },
      ["SOURCES"] + tags.map { ControlCodes.strippedToLine(sources(of: $0)) },
    ]
    columns.removeAll { $0.dropFirst().allSatisfy(\.isEmpty) }
    let widths = columns.map { $0.map(DisplayWidth.columns).max() ?? 0 }
    // The query comes last: how wide a terminal draws it does not matter there.
    let queries = ["QUERY"] + tags.map { ControlCodes.strippedToLine($0.query.text) }
    var text = ""
    for row in queries.indices {
      for (column, width) in zip(columns, widths) {
        let padding = String(
          repeating: " ", count: width - DisplayWidth.columns(of: column[row]) + 2)
        text += column[row] + padding
      }
      text += queries[row] + "\n"
    }
    return text
  }

  private func sources(of tag: SearchTag) -> String {
    (tag.sources ?? []).map(\.rawValue).joined(separator: ",")
  }
}
