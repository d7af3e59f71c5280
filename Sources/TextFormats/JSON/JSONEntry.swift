/// A value of a JSON document with its path: what files of a known shape are read through.
///
/// Whatever does not have the shape is reported with its path and position.
package struct JSONEntry: Sendable {
  package let value: JSONValue
  /// The path as people write it, such as `tags[3].limit`; empty for the document itself.
  package let path: String
  private let positions: JSONDocument.Positions
  private let text: [UInt8]
  private let quotesValues: Bool

  init(
    value: JSONValue, path: String, positions: JSONDocument.Positions, text: [UInt8],
    quotesValues: Bool
  ) {
    self.value = value
    self.path = path
    self.positions = positions
    self.text = text
    self.quotesValues = quotesValues
  }

  // MARK: Errors

  /// An error at this value.
  ///
  /// - Parameters:
  ///   - message: One line in lower case.
  ///   - key: The path of a missing member; without it the error is about the value itself.
  package func fault(_ message: String, at key: String? = nil) -> DocumentError {
    DocumentError(
      position: TextPosition(offset: positions.offset, in: text),
      path: key.map(path(of:)) ?? path, message: message)
  }

  /// An error that says what was expected here, and what was found if that may be quoted.
  package func fault(
    expected: String, found: String? = nil, at key: String? = nil
  ) -> DocumentError {
    let found = found ?? (quotesValues && key == nil ? value.summary : nil)
    return fault("expected \(expected)" + (found.map { ", found \($0)" } ?? ""), at: key)
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  // MARK: Shapes

  /// A string, which may be empty only if that is allowed.
  package func string(
    expected: String, allowsEmpty: Bool = false
  ) throws(DocumentError) -> String {
    guard case .string(let text) = value, allowsEmpty || !text.isEmpty else {
      throw fault(expected: expected)
    }
    return text
  }

  package func bool() throws(DocumentError) -> Bool {
    guard case .bool(let isOn) = value else { throw fault(expected: "true or false") }
    return isOn
  }

  /// A whole number within a range; an upper bound of `Int.max` means none.
  package func integer(
    in range: ClosedRange<Int>, expected: String? = nil
  ) throws(DocumentError) -> Int {
    guard case .number(let spelling) = value, let number = Int(spelling), range.contains(number)
    else {
      let bound = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw fault(expected: expected ?? "a whole number from \(range.lowerBound)\(bound)")
    }
    return number
  }

  /// One of the strings of an enumeration.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>()
    throws(DocumentError) -> Choice
  {
    guard case .string(let word) = value, let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault(expected: "one of \(words)")
    }
    return choice
  }

  /// The elements of an array.
  package func elements(expected: String) throws(DocumentError) -> [JSONEntry] {
    guard case .array(let elements) = value else { throw fault(expected: expected) }
    return elements.indices.map { child($0, elements[$0], path: "\(path)[\($0)]") }
  }

  /// The members of an object in their order, null and repeated ones too.
  package func members(
    expected: String
  ) throws(DocumentError) -> [(key: String, entry: JSONEntry)] {
    guard case .object(let members) = value else { throw fault(expected: expected) }
    return members.indices.map { index in
      let key = members[index].key
      return (key, child(index, members[index].value, path: path(of: key)))
    }
  }

  /// The members of an object, each of whose keys may occur once.
  ///
  /// - Parameter spelling: Returns the same text for keys that mean the same.
  package func distinctMembers(
    expected: String, spelling: (String) -> String = { $0 }
  ) throws(DocumentError) -> [(key: String, entry: JSONEntry)] {
    let members = try members(expected: expected)
    var seen: Set<String> = []
    for (key, entry) in members where !seen.insert(spelling(key)).inserted {
      throw entry.fault("duplicate key")
    }
    return members
  }

  /// The members of an object whose keys are known. One that is null counts as absent.
  ///
  /// - Parameters:
  ///   - ignoresUnknown: Whether other keys are allowed, and left out.
  ///   - ignored: Keys that something else reads.
  package func object(
    knowing keys: [String], ignoring ignored: Set<String> = [], ignoresUnknown: Bool = false,
    expected: String? = nil
  ) throws(DocumentError) -> [String: JSONEntry] {
    guard case .object = value else {
      throw fault(expected: expected ?? "an object with \(keys.joined(separator: ", "))")
    }
    var known: [String: JSONEntry] = [:]
    var seen: Set<String> = []
    for (key, entry) in try members(expected: "an object")
    where !ignored.contains(key) {
      guard keys.contains(key) else {
        if ignoresUnknown { continue }
        throw entry.fault("unknown key (known: \(keys.joined(separator: ", ")))")
      }
      guard seen.insert(key).inserted else { throw entry.fault("duplicate key") }
      if entry.value != .null { known[key] = entry }
    }
    return known
  }

  private func child(_ index: Int, _ value: JSONValue, path: String) -> JSONEntry {
    JSONEntry(
      value: value, path: path, positions: positions.children[index], text: text,
      quotesValues: quotesValues)
  }
}

extension JSONValue {
  /// A short description of the value for an error message, on one line.
  package var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let spelling): spelling.count > 40 ? "\(spelling.prefix(40))…" : spelling
    case .array: "a list"
    case .object: "an object"
    case .string(let text):
      // The writer escapes control characters, so that the line stays one.
      String(decoding: JSONValue.string(String(text.prefix(40))).bytes, as: UTF8.self)
    }
  }
}
