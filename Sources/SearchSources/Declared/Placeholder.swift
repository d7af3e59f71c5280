internal import TextFormats

/// What may stand in braces where a declaration describes its requests.
enum Placeholder: Hashable, Sendable {
  /// What is looked for, as it was typed.
  case query
  /// Its words, without the signs of hashtags.
  case words
  /// The tag or single word that it is; other queries cannot be asked then.
  case tag
  case page, offset, limit, cursor
  case since(DateSpelling)
  case until(DateSpelling)
  /// A credential, by the name of its variable.
  case credential(String)

  init(_ text: Substring, at entry: JSONEntry) throws(DocumentError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var spelling: DateSpelling?
    if parts.count == 2 {
      guard let known = DateSpelling(rawValue: String(parts[1])) else {
        let names = DateSpelling.allCases.map(\.rawValue).joined(separator: ", ")
        throw entry.fault(expected: "one of \(names) after {\(parts[0]):")
      }
      spelling = known
    }
    switch (parts[0], spelling) {
    case ("query", nil): self = .query
    case ("words", nil): self = .words
    case ("tag", nil): self = .tag
    case ("page", nil): self = .page
    case ("offset", nil): self = .offset
    case ("limit", nil): self = .limit
    case ("cursor", nil): self = .cursor
    case ("since", let spelling): self = .since(spelling ?? .rfc3339)
    case ("until", let spelling): self = .until(spelling ?? .rfc3339)
    case (let name, nil) where Self.isVariable(name): self = .credential(String(name))
    case _:
      throw entry.fault(
        expected: "{query}, {words}, {tag}, {page}, {offset}, {limit}, {cursor}, {since}, {until} "
          + "or a credential's name such as {FORUM_TOKEN}", found: "{\(text.prefix(40))}")
    }
  }

  /// Whether a request can be made without its value.
  var isOptional: Bool {
    switch self {
    case .cursor, .since, .until, .credential: true
    case .query, .words, .tag, .page, .offset, .limit: false
    }
  }

  var isQuery: Bool { self == .query || self == .words || self == .tag }

  var isSince: Bool { if case .since = self { true } else { false } }

  var isUntil: Bool { if case .until = self { true } else { false } }

  var isNumber: Bool {
    switch self {
    case .page, .offset, .limit: true
    case .since(let spelling), .until(let spelling): spelling.isNumber
    case .query, .words, .tag, .cursor, .credential: false
    }
  }

  var credentialName: String? { if case .credential(let name) = self { name } else { nil } }

  /// Whether a text is the name of a variable in capital letters.
  private static func isVariable(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first), text.utf8.count >= 3 else {
      return false
    }
    return text.utf8.allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
    }
  }
}
