package import PostHistory
internal import SearchModel
package import TagStorage
internal import TextFormats

/// The tags as a table for people; a column that would be empty is left out.
package struct TagTable {
  private let tags: [SearchTag]
  /// The memory of each tag, by query.
  private let memories: [String: TagMemory]

  package init(tags: [SearchTag], memories: [String: TagMemory]) {
    (self.tags, self.memories) = (tags, memories)
  }

  /// Writes the table line by line; nothing without tags.
  ///
  /// - Parameter screen: The columns of the screen; nil for none.
  package func write<Failure: Error>(
    within screen: Int? = nil, _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    // The query comes last: how wide a terminal draws it does not matter there.
    let headings = [
      "ADDED", "PRIORITY", "LIMIT", "EXPECTED", "FOUND", "FETCHED", "SOURCES", "QUERY",
    ]
    guard !tags.isEmpty else { return }
    try TextTable.write(rows: tags.count + 1, within: screen, write) { row in
      row == 0 ? headings : cells(of: tags[row - 1])
    }
  }

  private func cells(of tag: SearchTag) -> [String] {
    let tag = tag.unpacked
    let query = tag.query.text
    return [
      tag.added.map(RFC3339.formatDay) ?? "", tag.priority?.rawValue ?? "",
      tag.limit.map { String($0) } ?? "", tag.expectWithin?.text ?? "", lastFound(of: query),
      memories[query].map { String($0.posts) } ?? "",
      (tag.sources ?? []).map(\.rawValue).joined(separator: ","), query,
    ]
  }

  /// The last run that found something: `2026-11-20 12:00`, or `never`.
  private func lastFound(of query: String) -> String {
    guard let memory = memories[query] else { return "" }
    guard let date = memory.lastFound else { return "never" }
    return String(RFC3339.format(date).prefix(16)).replacing("T", with: " ")
  }
}
