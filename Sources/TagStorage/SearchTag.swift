package import FoundationEssentials
package import SearchModel
package import TextFormats

/// A stored query with its settings: one entry of `tags.json`.
///
/// It keeps its members as they were read, in their order: those that we do not know, and the spelling
/// of those that nobody changes.
package struct SearchTag: Hashable, Sendable {
  package var query: Query { didSet { set("query", .string(query.text)) } }
  /// Where it is searched for; nil for everywhere, and never empty.
  package var sources: [SourceName]? {
    didSet { set("sources", sources.map { .array($0.map { .string($0.rawValue) }) }) }
  }
  package var priority: TagPriority? {
    didSet { set("priority", priority.map { .string($0.rawValue) }) }
  }
  /// How many posts of one search are wanted; at least 1.
  package var limit: Int? { didSet { set("limit", limit.map { .integer($0) }) } }
  package var added: Date? { didSet { set("added", added.map { .string(Self.spelling(of: $0)) }) } }

  /// All that is written, in order.
  private var members: [JSONMember]
  /// Whether it stands in the list as a string and not as an object.
  private var isString = false

  package init(
    _ query: Query, sources: [SourceName]? = nil, priority: TagPriority? = nil, limit: Int? = nil,
    added: Date? = nil
  ) {
    self.query = query
    self.sources = sources
    self.priority = priority
    self.limit = limit
    self.added = added
    members = [JSONMember("query", .string(query.text))]
    set("sources", sources.map { .array($0.map { .string($0.rawValue) }) })
    set("priority", priority.map { .string($0.rawValue) })
    set("limit", limit.map { .integer($0) })
    set("added", added.map { .string(Self.spelling(of: $0)) })
  }

  /// Reads an entry of a list: an object, or a query alone.
  init(_ value: JSONValue, at place: JSONPlace) throws(TagShapeError) {
    guard case .object(let members) = value else {
      self.init(try place.query(value, or: " or an object with a query"))
      isString = true
      return
    }
    let known = try place.members(members, named: Self.keys)
    guard let query = known["query"] else {
      throw place.fault(expected: "an object with a \"query\"", found: "one without")
    }
    self.init(try query.place.query(query.value))
    // Straight to the storage: what is read keeps its spelling.
    sources = try known["sources"]?.sources()
    priority = try known["priority"]?.priority()
    limit = try known["limit"]?.limit()
    added = try known["added"]?.date()
    self.members = members
    set("query", .string(self.query.text))
  }

  /// The keys that mean something here.
  static let keys = ["query", "sources", "priority", "limit", "added"]

  /// Whether it says more than a query and when it was added.
  var hasSettings: Bool { members.contains { $0.key != "query" && $0.key != "added" } }

  /// The same as a string, for a list of strings.
  var asString: SearchTag {
    var tag = SearchTag(query)
    tag.isString = true
    return tag
  }

  /// The same as an object, for a list of objects.
  var asObject: SearchTag {
    var tag = self
    tag.isString = false
    return tag
  }

  /// What stands in the file.
  var json: JSONValue { isString && members.count == 1 ? .string(query.text) : object }

  /// It as an object, whatever stands in the file.
  package var object: JSONValue { .object(members) }

  /// The keys that mean nothing here; they are kept for whoever put them there.
  var unknownKeys: [String] { members.map(\.key).filter { !Self.keys.contains($0) } }

  private mutating func set(_ key: String, _ value: JSONValue?) {
    let index = members.firstIndex { $0.key == key }
    switch (index, value) {
    case (let index?, let value?): members[index].value = value
    case (let index?, nil): members.remove(at: index)
    case (nil, let value?): members.append(JSONMember(key, value))
    case (nil, nil): break
    }
  }

  /// RFC 3339 to the second, as people read it.
  private static func spelling(of date: Date) -> String {
    RFC3339.format(date).prefix { $0 != "." } + "Z"
  }
}
