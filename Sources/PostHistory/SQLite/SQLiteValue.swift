/// A value for a parameter of a statement; nil is NULL.
enum SQLiteValue: Hashable, Sendable {
  case integer(Int64?)
  case text(String?)
  case bytes([UInt8]?)

  static func bool(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
}

/// The values of a statement's parameters by their names, such as `[":uri": .text(uri)]`.
struct SQLiteValues: ExpressibleByDictionaryLiteral, Sendable {
  // With names for its parts, each value would be cast to the tuple that has them.
  private(set) var all: [(StaticString, SQLiteValue)]

  init(dictionaryLiteral elements: (StaticString, SQLiteValue)...) { all = elements }

  /// Adds a value.
  mutating func add(_ name: StaticString, _ value: SQLiteValue) { all.append((name, value)) }
}
