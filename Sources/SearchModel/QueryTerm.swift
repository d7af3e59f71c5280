/// One part of a query, as our grammar reads it; `searchagg help queries` shows it to users.
package struct QueryTerm: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// A word, or whatever else stands between two blanks.
    case word
    /// Words in their order, in quotation marks.
    case phrase
    /// `#name`.
    case tag
    /// `from:name`.
    case author
    /// `lang:de`.
    case language
  }

  package var kind: Kind
  /// What is looked for, without its signs and never empty: `swift` of `#swift`, `amy` of
  /// `from:@amy`, `de` of `lang:de-AT`.
  package var value: String
  /// Whether a `-` stands before it.
  package var isExcluded: Bool

  package init(_ kind: Kind, _ value: String, isExcluded: Bool = false) {
    self.kind = kind
    self.value = value
    self.isExcluded = isExcluded
  }

  /// The term as it is typed: what is read from it is the same term.
  package var description: String {
    let sign = isExcluded ? "-" : ""
    switch kind {
    case .word: return sign + value
    case .phrase: return "\(sign)\"\(value)\""
    case .tag: return "\(sign)#\(value)"
    case .author:
      let isQuoted = value.contains(where: \.isWhitespace)
      return isQuoted ? "\(sign)from:\"\(value)\"" : "\(sign)from:\(value)"
    case .language: return "\(sign)lang:\(value)"
    }
  }

  /// Whether it says what to look for, and does not only choose among what is found.
  package var isSought: Bool { !isExcluded && kind != .language }
}
