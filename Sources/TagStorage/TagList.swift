internal import SearchModel
package import TextFormats

/// The stored tags: what `tags.json` says, whole, as a value.
package struct TagList: Hashable, Sendable {
  /// How the document is written.
  enum Form: Hashable, Sendable {
    /// A bare list.
    case list
    /// An object, with its members as they were read; the tags are put in their place.
    case object([JSONMember])
  }

  package internal(set) var tags: [SearchTag]
  var form: Form

  /// A list without tags.
  package init() {
    tags = []
    form = Self.emptyForm
  }

  static let emptyForm = Form.object([
    JSONMember("version", .integer(Self.version)), JSONMember("tags", .array([])),
  ])

  /// The version of the form that we read and write.
  static let version = 1

  /// Reads what a file holds; a byte order mark before it is skipped.
  ///
  /// - Parameter acceptsList: Whether it may be a bare list of queries.
  package init(reading text: [UInt8], acceptsList: Bool = true) throws(MalformedTags) {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text[3...]) : text
    let value: JSONValue
    do throws(JSONSyntaxError) { value = try JSONValue(reading: text) } catch {
      throw MalformedTags(error)
    }
    do throws(TagShapeError) {
      if !acceptsList, case .array = value {
        throw JSONPlace.root.fault(expected: "an object with \"tags\"", found: value)
      }
      try self.init(value)
    } catch { throw MalformedTags(error, in: text) }
  }

  init(_ value: JSONValue) throws(TagShapeError) {
    let root = JSONPlace.root
    switch value {
    case .array(let elements):
      tags = try Self.tags(elements, at: root)
      form = .list
    case .object(let members):
      let known = try root.members(members, named: Self.keys)
      // A file written by hand may leave the version out.
      if let version = known["version"], version.value != .integer(Self.version) {
        let advice = Self.isLater(version.value) ? " (a later searchagg reads it)" : ""
        throw version.place.fault(expected: "version 1", found: "\(version.value.words)\(advice)")
      }
      guard let entry = known["tags"] else {
        throw root.fault(expected: "an object with \"tags\"", found: "one without")
      }
      guard case .array(let elements) = entry.value else {
        throw entry.place.fault(expected: "a list of tags", found: entry.value)
      }
      tags = try Self.tags(elements, at: entry.place)
      form = .object(members)
    case .null, .bool, .number, .string:
      throw root.fault(expected: "an object with \"tags\", or a list of queries", found: value)
    }
  }

  private static func tags(
    _ elements: [JSONValue], at place: JSONPlace
  ) throws(TagShapeError) -> [SearchTag] {
    var tags: [SearchTag] = []
    tags.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      tags.append(try SearchTag(element, at: place.element(index)))
    }
    return tags
  }

  private static func isLater(_ value: JSONValue) -> Bool {
    if case .number(let spelling) = value, let number = Int(spelling) { return number > version }
    return false
  }

  /// A key that means nothing to us, where it is, and those that would.
  package struct UnknownKey: Hashable, Sendable {
    package var name: String
    /// Such as `tags[3]`.
    package var place: String
    package var known: [String]
  }

  /// The keys that mean nothing to us, in their order.
  package var unknownKeys: [UnknownKey] {
    var keys: [UnknownKey] = []
    if case .object(let members) = form {
      for member in members where !Self.keys.contains(member.key) {
        keys.append(UnknownKey(name: member.key, place: "the file", known: Self.keys))
      }
    }
    for (index, tag) in tags.enumerated() {
      keys += tag.unknownKeys.map { name in
        UnknownKey(name: name, place: "tags[\(index)]", known: SearchTag.keys)
      }
    }
    return keys
  }

  private static let keys = ["version", "tags"]

  /// The document.
  package var json: JSONValue {
    switch form {
    case .list: return .array(tags.map(\.json))
    case .object(let members):
      return .object(
        members.map { $0.key == "tags" ? JSONMember("tags", .array(tags.map(\.json))) : $0 })
    }
  }

  /// The document as an object, with every tag as one.
  package var export: JSONValue { asObject.json }

  /// The same in the form that has room for settings.
  var asObject: TagList {
    var list = self
    if case .list = form { list.form = Self.emptyForm }
    list.tags = tags.map(\.asObject)
    return list
  }
}
