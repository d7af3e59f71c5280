internal import SearchModel
internal import TextFormats

/// A placeholder in braces in the requests of a declaration.
struct Placeholder: Sendable {
  enum Kind: Hashable, Sendable {
    /// The query as it was typed.
    case query
    /// Its words, without `#`.
    case words
    /// Its remote terms in the network's own syntax.
    case terms
    /// The only tag or word; other queries are unsupported then.
    case tag
    case author
    case language
    case page, offset, limit, cursor
    case since(DateSpelling)
    case until(DateSpelling)
    /// A credential, by the name of its variable.
    case credential(String)
    /// A value that a network in Swift computes.
    case computed
  }

  let kind: Kind
  /// True for a tag in lower case, and for a number that is left out on the first page.
  var isModified = false
  /// The value of `computed`.
  var value: (@Sendable (PageRequest) -> String?)?

  init(_ kind: Kind, isModified: Bool = false) {
    self.kind = kind
    self.isModified = isModified
  }

  /// A value that data cannot describe.
  init(_ value: @escaping @Sendable (PageRequest) -> String?) {
    kind = .computed
    self.value = value
  }

  init(_ text: Substring, at entry: JSONEntry) throws(DocumentError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let suffix = parts.count == 2 ? parts[1] : nil
    switch (parts[0], suffix) {
    case ("query", nil): self.init(.query)
    case ("words", nil): self.init(.words)
    case ("terms", nil): self.init(.terms)
    case ("tag", nil): self.init(.tag)
    case ("tag", "lower"): self.init(.tag, isModified: true)
    case ("author", nil): self.init(.author)
    case ("lang", nil): self.init(.language)
    case ("page", nil): self.init(.page)
    case ("page", "later"): self.init(.page, isModified: true)
    case ("offset", nil): self.init(.offset)
    case ("offset", "later"): self.init(.offset, isModified: true)
    case ("limit", nil): self.init(.limit)
    case ("cursor", nil): self.init(.cursor)
    case ("since", let suffix): self.init(.since(try Self.spelling(suffix, of: text, at: entry)))
    case ("until", let suffix): self.init(.until(try Self.spelling(suffix, of: text, at: entry)))
    case (let name, nil) where Self.isVariable(name): self.init(.credential(String(name)))
    default:
      throw entry.fault(
        expected: "{query}, {words}, {terms}, {tag}, {author}, {lang}, {page}, {offset}, {limit}, "
          + "{cursor}, {since}, {until} or a credential's name such as {FORUM_TOKEN}",
        found: "{\(text.prefix(40))}")
    }
  }

  private static func spelling(
    _ name: Substring?, of text: Substring, at entry: JSONEntry
  ) throws(DocumentError) -> DateSpelling {
    guard let name else { return .rfc3339 }
    guard let spelling = DateSpelling(name) else {
      throw entry.fault(
        expected: "one of \(DateSpelling.names) after {\(text.prefix(5)):")
    }
    return spelling
  }

  /// True if a request can be made without its value.
  var isOptional: Bool {
    switch kind {
    case .cursor, .since, .until, .credential, .author, .language, .computed: true
    case .page, .offset: isModified
    case .query, .words, .terms, .tag, .limit: false
    }
  }

  var isQuery: Bool {
    switch kind {
    case .query, .words, .terms, .tag: true
    default: false
    }
  }

  var isSince: Bool { if case .since = kind { true } else { false } }

  var isUntil: Bool { if case .until = kind { true } else { false } }

  var isNumber: Bool {
    switch kind {
    case .page, .offset, .limit: true
    case .since(let spelling), .until(let spelling): spelling.isNumber
    case .query, .words, .terms, .tag, .author, .language, .cursor, .credential, .computed: false
    }
  }

  var credentialName: String? {
    if case .credential(let name) = kind { name } else { nil }
  }

  /// True if a text is the name of a variable in capital letters.
  static func isVariable(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first) else {
      return false
    }
    return text.utf8.allSatisfy {
      (0x41...0x5A).contains($0) || $0.isASCIIDigit || $0 == 0x5F
    }
  }
}

/// A template of a request.
typealias RequestTemplate = Template<Placeholder>

extension Template<Placeholder> {
  /// Reads the text of a declaration.
  init(_ text: some StringProtocol, at entry: JSONEntry) throws(DocumentError) {
    try self.init(text, at: entry) { slot throws(DocumentError) in try Placeholder(slot, at: entry)
    }
  }
}
