package import SearchModel
package import TextFormats

/// The reason a change of the list was refused as a whole.
package enum TagChangeRefusal: Error, Hashable, Sendable {
  /// These are already in the list.
  case present([Query])
  /// These are not in the list.
  case absent([Query])
}

/// The stored tags: the whole of `tags.json` as a value.
package struct TagList: Hashable, Sendable {
  /// The two forms of the document.
  private enum Form: Hashable, Sendable {
    /// A bare list.
    case list
    /// An object with its members as they were read; `tags` replaces the member of that name.
    case object([JSONMember])
  }

  package private(set) var tags: [SearchTag]
  private var form: Form
  /// False if no tag has unknown keys, so that none needs to be looked through.
  private var hasUnknownKeys = false

  /// A list without tags.
  package init() {
    tags = []
    form = Self.emptyForm
  }

  private static let emptyForm = Form.object([
    JSONMember("version", .integer(Self.version)), JSONMember("tags", .array([])),
  ])

  /// The version that is read and written.
  private static let version = 1

  /// A longer list keeps the text of its tags instead of their content.
  static let mostInMemory = 20_000

  /// Reads the content of a file; a byte order mark at its start is skipped.
  ///
  /// - Parameter acceptsList: Whether it may be a bare list of queries.
  package init(reading text: [UInt8], acceptsList: Bool = true) throws(DocumentError) {
    let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text[3...]) : text
    var entries = Entries(of: text)
    let root = try JSONDocument(reading: text, listAt: "tags", quotingValues: true) {
      entry, range in
      entries.add(entry, at: range)
    }
    .root(quotingValues: true)
    switch root.value {
    case .array where acceptsList: form = .list
    case .object(let members):
      let known = try root.object(knowing: Self.keys, ignoresUnknown: true)
      // A file written by hand may leave the version out.
      if let version = known["version"], version.value != .integer(Self.version) {
        let isLater = (Int(version.value.summary) ?? 0) > Self.version
        throw version.fault(
          expected: "version \(Self.version)",
          found: version.value.summary + (isLater ? ", which needs a later searchagg" : ""))
      }
      guard let entry = known["tags"] else {
        throw root.fault(expected: "an object with \"tags\"", found: "one without")
      }
      guard case .array = entry.value else { throw entry.fault(expected: "a list of tags") }
      form = .object(members)
    case .array: throw root.fault(expected: "an object with \"tags\"")
    case .null, .bool, .number, .string:
      throw root.fault(expected: "an object with \"tags\", or a list of queries")
    }
    if let fault = entries.fault { throw fault }
    tags = entries.tags
    hasUnknownKeys = entries.hasUnknownKeys
  }

  /// The entries of a list, as they are read.
  private struct Entries {
    private(set) var tags: [SearchTag] = []
    private(set) var hasUnknownKeys = false
    /// The first fault; those of the document itself are reported before it.
    private(set) var fault: DocumentError?
    private let text: TagText

    init(of text: [UInt8]) { self.text = TagText(text) }

    mutating func add(_ entry: JSONEntry, at range: Range<Int>) {
      guard fault == nil else { return }
      do throws(DocumentError) {
        let isKept = tags.count < TagList.mostInMemory
        tags.append(try SearchTag(entry, in: isKept ? nil : (text, range)))
        if case .object(let members) = entry.value, !hasUnknownKeys {
          hasUnknownKeys = members.contains { !SearchTag.keys.contains($0.key) }
        }
      } catch {
        fault = error
      }
    }
  }

  /// An unknown key, its place, and the keys known there.
  package struct UnknownKey: Hashable, Sendable {
    package var name: String
    /// Such as `tags[3]`.
    package var place: String
    package var known: [String]
  }

  /// The unknown keys, in their order.
  package var unknownKeys: [UnknownKey] {
    var keys: [UnknownKey] = []
    if case .object(let members) = form {
      for member in members where !Self.keys.contains(member.key) {
        keys.append(UnknownKey(name: member.key, place: "the file", known: Self.keys))
      }
    }
    for (index, tag) in tags.enumerated() where hasUnknownKeys {
      keys += tag.unknownKeys.map { name in
        UnknownKey(name: name, place: "tags[\(index)]", known: SearchTag.keys)
      }
    }
    return keys
  }

  private static let keys = ["version", "tags"]

  /// The document.
  package var json: JSONValue {
    guard case .object(let members) = form else { return .array(tags.map(\.json)) }
    return .object(
      members.map { $0.key == "tags" ? JSONMember("tags", .array(tags.map(\.json))) : $0 })
  }

  /// Writes the document as a file, piece by piece.
  ///
  /// - Parameter isVisible: Whether it may reach a terminal, which must not obey what is in it.
  func writeFile<Failure: Error>(
    isVisible: Bool = false, _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let entries = tags.lazy.map(\.json)
    switch form {
    case .list:
      try JSONValue.array([]).writeFile(listAt: nil, entries, isVisible: isVisible, write)
    case .object(let members):
      let rest = members.map { $0.key == "tags" ? JSONMember("tags", .array([])) : $0 }
      try JSONValue.object(rest).writeFile(listAt: "tags", entries, isVisible: isVisible, write)
    }
  }

  /// The document as an object, with every tag as an object.
  package var export: JSONValue { asObject.json }

  /// Writes the document as an object, with every tag as an object, piece by piece.
  package func writeExport<Failure: Error>(
    _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try asObject.writeFile(isVisible: true, write)
  }

  /// The same list in the form that has room for settings.
  private var asObject: TagList {
    var list = self
    if case .list = form { list.form = Self.emptyForm }
    list.tags = tags.map(\.asObject)
    return list
  }

  // MARK: Changes

  /// Returns whether the list contains a query.
  package func contains(_ query: Query) -> Bool { tags.contains { $0.query == query } }

  /// Those of some queries that the list contains.
  private func contained(of queries: [Query]) -> Set<Query> {
    let wanted = Set(queries)
    return Set(tags.lazy.map(\.query).filter { wanted.contains($0) })
  }

  /// Appends the tags of `new` that the list does not contain, and returns these, too.
  ///
  /// A list of strings stays one as long as no tag has settings.
  package func adding(missingOf new: [SearchTag]) -> (list: TagList, added: [SearchTag]) {
    var known = contained(of: new.map(\.query))
    let added = new.filter { known.insert($0.query).inserted }
    var list = self
    if form == .list, added.contains(where: \.hasSettings) { list = asObject }
    list.tags += list.form == .list ? added.map(\.asString) : added.map(\.asObject)
    return (list, added)
  }

  /// Appends all of `new`, and returns these, too; refuses if the list contains one of them.
  package func adding(
    _ new: [SearchTag]
  ) throws(TagChangeRefusal) -> (list: TagList, added: [SearchTag]) {
    let known = contained(of: new.map(\.query))
    let present = new.map(\.query).filter { known.contains($0) }
    guard present.isEmpty else { throw .present(present) }
    return adding(missingOf: new)
  }

  /// Removes the `queries` that the list contains, and returns these, too.
  package func removing(presentOf queries: [Query]) -> (list: TagList, removed: [Query]) {
    let unwanted = Set(queries)
    var list = self
    list.tags.removeAll { unwanted.contains($0.query) }
    let known = contained(of: queries)
    var seen: Set<Query> = []
    return (list, queries.filter { known.contains($0) && seen.insert($0).inserted })
  }

  /// Removes all `queries`, and returns these, too; refuses if the list lacks one of them.
  package func removing(
    _ queries: [Query]
  ) throws(TagChangeRefusal) -> (list: TagList, removed: [Query]) {
    let known = contained(of: queries)
    let absent = queries.filter { !known.contains($0) }
    guard absent.isEmpty else { throw .absent(absent) }
    return removing(presentOf: queries)
  }

  /// Changes a tag in its place.
  ///
  /// Refuses if the list does not contain it, or already contains what it would become.
  package func editing(
    _ query: Query, _ change: (inout SearchTag) -> Void
  ) throws(TagChangeRefusal) -> TagList {
    guard contains(query) else { throw .absent([query]) }
    var list = self
    // A file written by hand may contain a query twice.
    for index in tags.indices where tags[index].query == query {
      change(&list.tags[index])
      let name = list.tags[index].query
      guard name == query || !contains(name) else { throw .present([name]) }
    }
    if form == .list, zip(tags, list.tags).contains(where: { !$0.hasSettings && $1.hasSettings }) {
      return list.asObject
    }
    return list
  }
}
