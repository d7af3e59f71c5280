internal import TextFormats

/// The ways in which an item of a page can be malformed.
enum Breakage: CaseIterable {
  case null, number, emptyObject, missingID, textIsObject, dateIsNonsense, idIsNull, array

  /// The way whose turn it is.
  init(_ turn: Int) { self = Self.allCases[turn % Self.allCases.count] }

  /// Returns the item, broken; the keys name where its id, text and date
  /// stand.
  func applied(to item: JSONValue, id: String, text: [String], date: String) -> JSONValue {
    switch self {
    case .null: .null
    case .number: .number("17")
    case .emptyObject: .object([])
    case .missingID: changing([id], to: nil, in: item)
    case .textIsObject: changing(text, to: .object([JSONMember("text", .number("1e3"))]), in: item)
    case .dateIsNonsense: changing([date], to: .string("the day before yesterday"), in: item)
    case .idIsNull: changing([id], to: .null, in: item)
    case .array: .array([item])
    }
  }

  private func changing(_ keys: [String], to value: JSONValue?, in item: JSONValue) -> JSONValue {
    guard case .object(let members) = item else { return item }
    return .object(
      members.compactMap { member in
        guard keys.contains(member.key) else { return member }
        return value.map { JSONMember(member.key, $0) }
      })
  }
}
