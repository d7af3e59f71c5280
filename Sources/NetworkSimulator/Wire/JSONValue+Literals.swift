internal import TextFormats

extension JSONValue: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
}

extension JSONValue {
  /// An empty array.
  static var emptyArray: JSONValue { .array([]) }

  /// Returns the text, or null where there is none.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Returns the texts as an array.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
