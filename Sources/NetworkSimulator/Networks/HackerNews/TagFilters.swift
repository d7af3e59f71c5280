/// Algolia's `tags`: all must be there, or one of those in parentheses.
struct TagFilters: Sendable {
  private let groups: [[String]]

  init(_ text: String) { groups = Self.groups(text) }

  func hold(_ tags: [String]) -> Bool {
    groups.allSatisfy { group in group.contains { tags.contains($0) } }
  }

  /// Returns the terms between commas, those in parentheses together.
  static func groups(_ text: String) -> [[String]] {
    var groups: [[String]] = []
    var isInside = false
    for part in text.split(separator: ",") {
      let opens = part.hasPrefix("(")
      let closes = part.hasSuffix(")")
      let term = String(part.filter { $0 != "(" && $0 != ")" })
      if isInside, !groups.isEmpty {
        groups[groups.count - 1].append(term)
      } else {
        groups.append([term])
      }
      if opens { isInside = true }
      if closes { isInside = false }
    }
    return groups
  }
}
