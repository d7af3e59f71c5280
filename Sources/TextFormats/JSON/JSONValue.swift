/// A JSON value with members in their order and numbers as written.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The number as written, such as `12`, `0.5` or `1e3`.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  package static func integer(_ number: some BinaryInteger) -> JSONValue { .number(String(number)) }

  /// Makes an object of the members whose value is not nil.
  package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  /// The value of a key; nil if this is not an object or has no such key.
  package subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The string that this is; nil for anything else.
  package var text: String? { if case .string(let text) = self { text } else { nil } }

  /// The string of a key; nil for anything else.
  package func text(_ key: String) -> String? { self[key]?.text }

  /// Writes it on one line.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let spelling): writer.raw(spelling)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// The value on one line, as UTF-8.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// A key and its value.
package struct JSONMember: Hashable, Sendable {
  package var key: String
  package var value: JSONValue

  package init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}
