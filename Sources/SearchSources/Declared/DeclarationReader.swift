internal import TextFormats

/// Reads an object of a declaration, key by key; a key that it does not know is refused.
struct DeclarationReader {
  private let key: String
  private var values: [String: JSONValue] = [:]

  /// - Parameters:
  ///   - key: Where the object stands; empty for the declaration itself.
  ///   - known: The keys that it may have.
  init(_ value: JSONValue, at key: String, known: [String]) throws(DeclarationFault) {
    self.key = key
    guard case .object(let members) = value else {
      throw DeclarationFault(key, expected: "an object with \(known.joined(separator: ", "))")
    }
    for member in members {
      guard known.contains(member.key) else {
        throw DeclarationFault(
          place(of: member.key), "is not known here; there are: \(known.joined(separator: ", "))")
      }
      guard values.updateValue(member.value, forKey: member.key) == nil else {
        throw DeclarationFault(place(of: member.key), "stands here twice")
      }
    }
  }

  /// Where a key of this object stands.
  func place(of name: String) -> String { key.isEmpty ? name : "\(key).\(name)" }

  /// The value of a key; nil where it is absent or null.
  func value(_ name: String) -> JSONValue? {
    values[name].flatMap { $0 == .null ? nil : $0 }
  }

  func text(_ name: String, expected: String) throws(DeclarationFault) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value, !text.isEmpty else {
      throw DeclarationFault(place(of: name), expected: expected)
    }
    return text
  }

  func flag(_ name: String) throws(DeclarationFault) -> Bool {
    guard let value = value(name) else { return false }
    guard case .bool(let isOn) = value else {
      throw DeclarationFault(place(of: name), expected: "true or false")
    }
    return isOn
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(DeclarationFault) -> Int? {
    guard let value = value(name) else { return nil }
    guard case .number(let spelling) = value, let number = Int(spelling), range.contains(number)
    else {
      throw DeclarationFault(
        place(of: name),
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// One of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(DeclarationFault) -> Choice? {
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    guard let text = try text(name, expected: "one of \(words)") else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw DeclarationFault(place(of: name), expected: "one of \(words)")
    }
    return choice
  }

  /// A path into the answer.
  func path(_ name: String) throws(DeclarationFault) -> NodePath? {
    let text = try text(name, expected: NodePath.expected)
    return try text.map { text throws(DeclarationFault) in
      try NodePath(text, at: place(of: name))
    }
  }

  /// One text, or several.
  func texts(_ name: String, expected: String) throws(DeclarationFault) -> [String] {
    let elements: [JSONValue]
    switch value(name) {
    case nil: return []
    case .array(let list)? where !list.isEmpty: elements = list
    case let value?: elements = [value]
    }
    return try elements.map { element throws(DeclarationFault) in
      guard case .string(let text) = element, !text.isEmpty else {
        throw DeclarationFault(place(of: name), expected: expected)
      }
      return text
    }
  }

  /// The texts of an object's members, in their order.
  func members(
    _ name: String, expected: String
  ) throws(DeclarationFault) -> [(name: String, text: String)] {
    guard let value = value(name) else { return [] }
    guard case .object(let members) = value else {
      throw DeclarationFault(place(of: name), expected: expected)
    }
    return try members.map { member throws(DeclarationFault) in
      guard case .string(let text) = member.value, !member.key.isEmpty else {
        throw DeclarationFault("\(place(of: name)).\(member.key)", expected: "a text")
      }
      return (member.key, text)
    }
  }
}
