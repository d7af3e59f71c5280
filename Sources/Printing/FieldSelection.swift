package import SearchModel
internal import TextFormats

/// The fields that an output contains.
package struct FieldSelection: Hashable, Sendable {
  private let bits: UInt64
  /// The fields in the order of the output; nil for the order of the format.
  let order: [PostField]?
  /// The members of a JSON object with these fields, in the order of the output.
  let members: [PostMember]
  /// The same without the fields that few posts have.
  let usualMembers: [PostMember]

  /// Every field.
  package static let all = FieldSelection(PostField.printed)

  /// Creates a selection in the order of the format.
  package init(_ fields: some Sequence<PostField>) {
    let bits = Self.bits(of: fields)
    self.bits = bits
    order = nil
    let chosen = PostField.printed.filter { bits & Self.bit(of: $0) != 0 }
    (members, usualMembers) = (PostMember.all(of: chosen), PostMember.usual(of: chosen))
  }

  /// Reads the value of `--fields`, such as `id,author.handle,url`, and keeps its order; an unknown name is
  /// an error.
  package init(parsing text: String) throws(UnknownField) {
    var fields: [PostField] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = name.drop { $0 == " " }.prefix { $0 != " " }
      let found = PostField.named(name)
      if found.isEmpty { throw UnknownField(path: String(name)) }
      fields += found.filter { !fields.contains($0) }
    }
    bits = Self.bits(of: fields)
    order = fields
    (members, usualMembers) = (PostMember.all(of: fields), PostMember.usual(of: fields))
  }

  private static func bits(of fields: some Sequence<PostField>) -> UInt64 {
    fields.reduce(0) { $0 | bit(of: $1) }
  }

  private static func bit(of field: PostField) -> UInt64 { 1 << UInt64(field.rawValue) }

  package func contains(_ field: PostField) -> Bool { bits & Self.bit(of: field) != 0 }

  /// The paths of its fields, in the order of the output.
  package var paths: [String] {
    (order ?? PostField.printed.filter(contains)).map(\.description.path)
  }

  // The members follow from the fields and their order.
  package static func == (one: Self, other: Self) -> Bool {
    one.bits == other.bits && one.order == other.order
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bits)
    hasher.combine(order)
  }
}

extension PostField {
  /// Returns the fields that a name in `--fields` selects: one by its path or its column, or all of a group
  /// such as `author`.
  package static func named(_ name: some StringProtocol) -> [PostField] {
    let table = printed.map(\.description)
    let byPath = table.filter { $0.path == name || $0.group.map { "\($0)" == name } ?? false }
    return (byPath.isEmpty ? table.filter { $0.column == name } : byPath).map(\.field)
  }

  /// Returns the field of a path; nil for another text.
  static func at(path: some StringProtocol) -> PostField? {
    printed.first { $0.description.path == path }
  }
}

/// A step in writing a post as a JSON object: it is small, as it is taken for each field of every post.
struct PostMember: Sendable {
  enum Step: Sendable {
    case value(PostPlace)
    /// The beginning of an object of some of the fields in a range of the table, which is left out, with
    /// so many steps after it, where none of the range has a value.
    case group(Range<Int>, steps: Int)
    case groupEnd
  }

  let key: JSONKey
  let step: Step

  /// Returns the steps for some fields: those of one group in one object, at the position of the first.
  static func all(of fields: [PostField]) -> [PostMember] {
    PostField.byKey(fields).flatMap { member in
      let values = member.fields.map { PostMember(key: JSONKey($0.key), step: .value($0.place)) }
      guard let group = member.group else { return values }
      let table = PostField.table
      let start = table.firstIndex { $0.isIn(group) } ?? 0
      let end = table.lastIndex { $0.isIn(group) } ?? start
      let beginning = Step.group(start..<end + 1, steps: values.count + 1)
      let key = JSONKey(group)
      return [PostMember(key: key, step: beginning)] + values
        + [PostMember(key: key, step: .groupEnd)]
    }
  }

  /// Returns the steps for those of some fields that are not rare.
  static func usual(of fields: [PostField]) -> [PostMember] {
    all(of: fields.filter { !$0.place.isRare })
  }
}

extension PostField {
  /// Returns fields by the keys of a post's JSON object: one alone, or those of a group, at the position of
  /// the first.
  static func byKey(
    _ fields: [PostField]
  ) -> [(group: StaticString?, fields: [PostField.Description])] {
    var members: [(group: StaticString?, fields: [PostField.Description])] = []
    for field in fields.map(\.description) {
      guard let group = field.group else {
        members.append((nil, [field]))
        continue
      }
      if let index = members.firstIndex(where: { $0.fields.contains { $0.isIn(group) } }) {
        members[index].fields.append(field)
      } else {
        members.append((group, [field]))
      }
    }
    return members
  }
}

extension PostField.Description {
  // Of bytes, as strings would take longer than the rest of the table.
  func isIn(_ group: StaticString) -> Bool {
    guard let own = self.group else { return false }
    return ByteSearch.isEqual(
      UnsafeBufferPointer(start: own.utf8Start, count: own.utf8CodeUnitCount), group)
  }
}

/// A name that no field has.
package struct UnknownField: Error, Hashable {
  package let path: String
}
