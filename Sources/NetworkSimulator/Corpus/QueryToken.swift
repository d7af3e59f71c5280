/// What stands between blanks in a query, or between quotation marks.
struct QueryToken: Sendable, Hashable {
  /// Without its signs: marks, parentheses and the `-` before it.
  let text: String
  let isQuoted: Bool
  let isNegated: Bool
  /// The number of the parentheses that it stands in; nil for none.
  let group: Int?

  /// Returns the tokens of a query; those of nothing but signs are left out.
  static func all(in query: String) -> [QueryToken] {
    var tokens: [QueryToken] = []
    var rest = query[...]
    var groups = 0
    var isInside = false
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      var isNegated = false
      while let sign = rest.first, sign == "(" || sign == "-" && rest.count > 1 {
        if sign == "(" {
          isInside = true
          groups += 1
        } else {
          isNegated = true
        }
        rest.removeFirst()
      }
      let isQuoted = rest.first == "\""
      let text: Substring
      if isQuoted {
        text = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(text.count + 2)
      } else {
        text = rest.prefix { !$0.isWhitespace && $0 != "\"" && $0 != ")" }
        rest = rest.dropFirst(text.count)
      }
      let group = isInside ? groups : nil
      while rest.first == ")" {
        isInside = false
        rest.removeFirst()
      }
      guard !text.isEmpty else { continue }
      tokens.append(
        QueryToken(text: String(text), isQuoted: isQuoted, isNegated: isNegated, group: group))
    }
    return tokens
  }
}
