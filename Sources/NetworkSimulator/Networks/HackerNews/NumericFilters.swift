/// Algolia's `numericFilters`: comparisons that must all hold, or one of those in parentheses.
struct NumericFilters: Sendable {
  private struct Comparison: Sendable {
    let attribute: String
    let relation: String
    let number: Double

    func holds(_ value: Double) -> Bool {
      switch relation {
      case "<": value < number
      case "<=": value <= number
      case ">": value > number
      case ">=": value >= number
      case "!=": value != number
      case _: value == number
      }
    }
  }

  private let groups: [[Comparison]]

  init(_ text: String) throws(HackerNewsFault) {
    var groups: [[Comparison]] = []
    for group in TagFilters.groups(text) {
      var comparisons: [Comparison] = []
      for term in group { comparisons.append(try Self.comparison(term)) }
      groups.append(comparisons)
    }
    self.groups = groups
  }

  private static func comparison(_ term: String) throws(HackerNewsFault) -> Comparison {
    let isPart: (Character) -> Bool = { "<>=!".contains($0) }
    guard let start = term.firstIndex(where: isPart),
      let end = term[start...].firstIndex(where: { !isPart($0) }),
      ["<", "<=", "=", ">", ">=", "!="].contains(term[start..<end]),
      let number = Double(term[end...].filter { $0 != " " })
    else {
      throw HackerNewsFault(
        message:
          """
          Invalid syntax for numeric condition: \(term), expected a comparison of a numeric \
          attribute
          """
      )
    }
    let attribute = term[..<start].filter { $0 != " " }
    guard ["created_at_i", "points", "num_comments", "story_id", "parent_id"].contains(attribute)
    else {
      throw HackerNewsFault(
        message: "invalid numeric attribute(\(attribute)) not in numericAttributesForFiltering")
    }
    return Comparison(attribute: attribute, relation: String(term[start..<end]), number: number)
  }

  /// Whether they hold; `value` returns an attribute of the item, nil when it has none.
  func hold(_ value: (String) -> Double?) -> Bool {
    groups.allSatisfy { group in
      group.contains { comparison in
        value(comparison.attribute).map { comparison.holds($0) } ?? false
      }
    }
  }
}
