internal import SearchModel
internal import TextFormats

extension JSONPlace {
  /// A value that stands at a place.
  struct Entry {
    let place: JSONPlace
    let value: JSONValue
  }

  func fault(expected: String, found: String) -> TagShapeError {
    TagShapeError(place: self, expected: expected, found: found)
  }

  func fault(expected: String, found: JSONValue) -> TagShapeError {
    fault(expected: expected, found: found.words)
  }

  /// The members that we know, those that are null left out; a key that stands twice is refused.
  func members(
    _ members: [JSONMember], named keys: [String]
  ) throws(TagShapeError) -> [String: Entry] {
    var known: [String: Entry] = [:]
    for (ordinal, member) in members.enumerated() where keys.contains(member.key) {
      let place = self.member(member.key, ordinal)
      guard known[member.key] == nil else {
        throw place.fault(expected: "\"\(member.key)\" once", found: "it again")
      }
      if member.value != .null { known[member.key] = Entry(place: place, value: member.value) }
    }
    return known
  }

  /// Reads a query; `or` says what else may stand here.
  func query(_ value: JSONValue, or: String = "") throws(TagShapeError) -> Query {
    guard case .string(let text) = value else {
      throw fault(expected: "a query\(or)", found: value)
    }
    guard let query = Query(text) else {
      throw fault(
        expected: "a query that is not empty and has no control characters", found: value)
    }
    return query
  }
}

extension JSONPlace.Entry {
  /// The names of sources; an empty list is the same as none.
  func sources() throws(TagShapeError) -> [SourceName]? {
    let expected = "a list of sources, such as [\"mastodon\"]"
    guard case .array(let elements) = value else {
      throw place.fault(expected: expected, found: value)
    }
    var sources: [SourceName] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let name) = element, !name.isEmpty else {
        throw place.element(index).fault(expected: "the name of a source", found: element)
      }
      sources.append(SourceName(rawValue: name))
    }
    return sources.isEmpty ? nil : sources
  }

  func priority() throws(TagShapeError) -> TagPriority {
    guard case .string(let name) = value, let priority = TagPriority(rawValue: name) else {
      throw place.fault(expected: "\"low\", \"normal\" or \"high\"", found: value)
    }
    return priority
  }

  func limit() throws(TagShapeError) -> Int {
    guard case .number(let spelling) = value, let limit = Int(spelling), limit >= 1 else {
      throw place.fault(expected: "a whole number from 1", found: value)
    }
    return limit
  }
}

extension JSONValue {
  /// What a person is told to have been found.
  var words: String {
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
