internal import SearchModel
internal import TextFormats

/// A text with slots in braces, such as `Bearer {FORUM_TOKEN}`; `{{` and `}}` are literal braces.
struct Template<Slot: Hashable & Sendable>: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text(String)
    case slot(Slot)
  }

  let pieces: [Piece]

  /// - Parameters:
  ///   - entry: The value that contains the text.
  ///   - slot: Reads the text between two braces.
  init(
    _ text: some StringProtocol, at entry: JSONEntry,
    slot: (Substring) throws(DocumentError) -> Slot
  ) throws(DocumentError) {
    var pieces: [Piece] = []
    var plain = ""
    var remainder = Substring(text)
    while let brace = remainder.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      plain += remainder[..<brace]
      let character = remainder[brace]
      remainder = remainder[remainder.index(after: brace)...]
      if remainder.first == character {
        plain.append(character)
        remainder.removeFirst()
        continue
      }
      guard character == "{", let end = remainder.firstIndex(of: "}") else {
        throw entry.fault(expected: "a closing brace for each opening one")
      }
      if !plain.isEmpty { pieces.append(.text(plain)) }
      plain = ""
      pieces.append(.slot(try slot(remainder[..<end])))
      remainder = remainder[remainder.index(after: end)...]
    }
    plain += remainder
    if !plain.isEmpty { pieces.append(.text(plain)) }
    self.pieces = pieces
  }

  var slots: [Slot] {
    pieces.compactMap { piece in if case .slot(let slot) = piece { slot } else { nil } }
  }

  /// The text between the slots.
  var plain: String {
    pieces.map { piece in if case .text(let text) = piece { text } else { "" } }.joined()
  }

  /// The only slot, where the template is nothing else.
  var loneSlot: Slot? {
    if pieces.count == 1, case .slot(let slot) = pieces[0] { slot } else { nil }
  }

  /// Returns the text with its slots filled; nil if one of them has no value.
  func filled(_ value: (Slot) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .slot(let slot):
        guard let value = value(slot) else { return nil }
        text += value
      }
    }
    return text
  }
}

/// A placeholder in braces in the requests of a declaration.
enum Placeholder: Hashable, Sendable {
  /// The query as it was typed.
  case query
  /// Its words, without `#`.
  case words
  /// The only tag or word; other queries are unsupported then.
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

  /// True if a request can be made without its value.
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

  /// True if a text is the name of a variable in capital letters.
  private static func isVariable(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first), text.utf8.count >= 3 else {
      return false
    }
    return text.utf8.allSatisfy {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
    }
  }
}

/// The values of placeholders in the request for one page.
struct PlaceholderValues {
  let page: PageRequest
  let position: DeclaredPosition
  let paging: DeclaredPaging
  let credentialNames: [String]

  /// Returns the value of a placeholder; nil if it has none.
  func text(of placeholder: Placeholder) -> String? {
    switch placeholder {
    // As it was typed: the declaration does not describe the network's own language.
    case .query:
      return page.query.isRaw
        ? page.query.text : page.split.remote.map(\.description).joined(separator: " ")
    case .words: return SearchLanguage.wordsOnly.text(of: page.split)
    case .tag: return page.split.onlyTag
    case .page:
      guard case .page(let first) = paging.way else { return nil }
      return String(first + paging.page(of: position))
    case .offset: return String(paging.offset(of: position))
    case .limit: return String(position.size)
    case .cursor: return position.mark.isEmpty ? nil : position.mark
    case .since(let spelling): return page.since.map { spelling.text(of: $0, .down) }
    case .until(let spelling): return page.until.map { spelling.text(of: $0, .up) }
    case .credential(let name):
      guard let index = credentialNames.firstIndex(of: name),
        let values = page.credentials?.values, values.indices.contains(index)
      else { return nil }
      return values[index]
    }
  }
}

/// Names of headers and parameters whose values are usually secrets.
enum SecretNames {
  static let advice =
    "no secrets in this file: name a variable in braces instead, such as {FORUM_TOKEN}"

  static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["authorization", "proxy-authorization", "cookie"].contains(name)
      || ["token", "secret", "api-key", "apikey"].contains { name.contains($0) }
  }

  /// True if a parameter `name=value` has a value, under the name of a secret.
  static func isParameter(_ parameter: String) -> Bool {
    let parts = parameter.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let name = parts.first?.lowercased() else { return false }
    let names: Set = [
      "key", "api_key", "api-key", "apikey", "token", "access_token", "auth", "auth_token",
      "secret",
      "client_secret", "password",
    ]
    return names.contains(name)
  }
}
