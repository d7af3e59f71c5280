internal import QueuedHTTP
internal import SearchModel

// The pieces of declarations in Swift: templates and fields are literals, so that none can be wrong.

extension Template: ExpressibleByUnicodeScalarLiteral where Slot == Placeholder {}

extension Template: ExpressibleByExtendedGraphemeClusterLiteral where Slot == Placeholder {}

extension Template: ExpressibleByStringLiteral where Slot == Placeholder {
  init(stringLiteral text: String) { self.init(pieces: text.isEmpty ? [] : [.text(text)]) }
}

extension Template: ExpressibleByStringInterpolation where Slot == Placeholder {
  init(stringInterpolation: RequestInterpolation) {
    self.init(pieces: stringInterpolation.pieces)
  }
}

/// A template of a request in Swift: `"/t/\(.tag)\(optional: "/page/\(.laterPage)").json"`.
struct RequestInterpolation: StringInterpolationProtocol {
  fileprivate var pieces: [RequestTemplate.Piece] = []

  init(literalCapacity: Int, interpolationCount: Int) {}

  mutating func appendLiteral(_ literal: String) {
    if !literal.isEmpty { pieces.append(.text(literal)) }
  }

  mutating func appendInterpolation(_ slot: Placeholder) {
    pieces.append(.slot(slot, default: nil))
  }

  mutating func appendInterpolation(optional part: RequestTemplate) { pieces.append(.part(part)) }

  mutating func appendInterpolation(joiner: String) { pieces.append(.joiner(joiner)) }
}

extension Placeholder {
  static let terms = Placeholder(.terms)
  static let author = Placeholder(.author)
  static let cursor = Placeholder(.cursor)
  static let limit = Placeholder(.limit)
  static let page = Placeholder(.page)
  static let laterPage = Placeholder(.page, isModified: true)
  static let lowercaseTag = Placeholder(.tag, isModified: true)

  static func credential(_ name: String) -> Placeholder { Placeholder(.credential(name)) }
  static func since(_ spelling: DateSpelling) -> Placeholder { Placeholder(.since(spelling)) }
  static func until(_ spelling: DateSpelling) -> Placeholder { Placeholder(.until(spelling)) }
}

extension AddressTemplate {
  /// The address of a network in Swift, whose parameters are written as they are meant: the texts in
  /// them are encoded, too.
  init(path: RequestTemplate, parameters: KeyValuePairs<String, RequestTemplate> = [:]) {
    self.init(
      .none, path: path,
      parameters: parameters.map { name, value in
        Parameter(name: "\(PercentEncoding.encode(name))=", value: Self.encoded(value))
      })
  }

  private static func encoded(_ template: RequestTemplate) -> RequestTemplate {
    Template(
      pieces: template.pieces.map { piece in
        switch piece {
        case .text(let text): .text(PercentEncoding.encode(text))
        case .joiner(let text): .joiner(PercentEncoding.encode(text))
        case .part(let part): .part(encoded(part))
        case .slot: piece
        }
      })
  }
}

extension FieldLocation: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral path: String) { self.init([.path(NodePath(stringLiteral: path))]) }
  init(arrayLiteral ways: Way...) { self.init(ways) }
}

extension FieldLocation.Way: ExpressibleByStringLiteral {
  init(stringLiteral path: String) { self = .path(NodePath(stringLiteral: path)) }

  /// Something about a list, or about an object, which counts as a list of one.
  static func each(
    _ list: NodePath, _ ways: [FieldLocation.Way] = FieldLocation.Each.itself, split: String? = nil
  ) -> FieldLocation.Way {
    .each(FieldLocation.Each(list: list, ways: ways, split: split))
  }

  /// An address that ends with the value at a path.
  static func link(_ address: String, _ path: NodePath) -> FieldLocation.Way {
    .template(
      Template(pieces: [.text(address), .slot(FieldLocation.Slot(path: path), default: nil)]))
  }

  /// The same, below the address of the server.
  static func below(_ address: String, _ path: NodePath) -> FieldLocation.Way {
    .below(Template(pieces: [.text(address), .slot(FieldLocation.Slot(path: path), default: nil)]))
  }
}
