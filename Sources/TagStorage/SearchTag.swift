package import FoundationEssentials
package import SearchModel
package import TextFormats

/// The priority of a tag's searches when requests are queued.
package enum TagPriority: String, CaseIterable, Sendable, Hashable {
  case low, normal, high
}

/// A stored query with its settings: one entry of `tags.json`.
///
/// Members are kept as they were read, in their order: unknown ones, and the spelling of those that
/// do not change.
package struct SearchTag: Hashable, Sendable {
  package var query: Query { didSet { set("query", .string(query.text)) } }
  /// The sources to search, never empty; nil for all.
  package var sources: [SourceName]? {
    didSet { set("sources", sources.map { .array($0.map { .string($0.rawValue) }) }) }
  }
  package var priority: TagPriority? {
    didSet { set("priority", priority.map { .string($0.rawValue) }) }
  }
  /// The number of posts wanted of one search; at least 1.
  package var limit: Int? { didSet { set("limit", limit.map { .integer($0) }) } }
  /// The longest time that it is expected to go without a post; nil for the setting of the run.
  package var expectWithin: ExpectedInterval? {
    didSet { set("expect_within", expectWithin.map { .string($0.text) }) }
  }
  package var added: Date? {
    didSet { set("added", added.map { .string(RFC3339.formatSeconds($0)) }) }
  }

  /// All members of the object, in order.
  private var members: [JSONMember]
  /// True if the file has it as a string rather than an object.
  private var isString = false

  package init(
    _ query: Query, sources: [SourceName]? = nil, priority: TagPriority? = nil, limit: Int? = nil,
    expectWithin: ExpectedInterval? = nil, added: Date? = nil
  ) {
    self.expectWithin = expectWithin
    self.query = query
    self.sources = sources
    self.priority = priority
    self.limit = limit
    self.added = added
    members = [JSONMember("query", .string(query.text))]
    set("sources", sources.map { .array($0.map { .string($0.rawValue) }) })
    set("priority", priority.map { .string($0.rawValue) })
    set("limit", limit.map { .integer($0) })
    set("expect_within", expectWithin.map { .string($0.text) })
    set("added", added.map { .string(RFC3339.formatSeconds($0)) })
  }

  /// Reads an entry of a list: an object, or a query alone.
  init(_ entry: JSONEntry) throws(DocumentError) {
    guard case .object(let members) = entry.value else {
      self.init(try Self.query(entry, or: " or an object with a query"))
      isString = true
      return
    }
    let known = try entry.object(knowing: Self.keys, ignoresUnknown: true)
    guard let query = known["query"] else {
      throw entry.fault(expected: "an object with a \"query\"", found: "one without")
    }
    self.init(try Self.query(query))
    // Straight to the storage: what is read keeps its spelling.
    sources = try known["sources"].flatMap(Self.sources)
    priority = try known["priority"]?.choice()
    limit = try known["limit"]?.integer(in: 1...Int.max)
    expectWithin = try known["expect_within"].map(Self.interval)
    added = try known["added"].map(Self.date)
    self.members = members
    set("query", .string(self.query.text))
  }

  private static func query(
    _ entry: JSONEntry, or alternative: String = ""
  ) throws(DocumentError) -> Query {
    guard case .string(let text) = entry.value else {
      throw entry.fault(expected: "a query\(alternative)")
    }
    guard let query = Query(text) else {
      throw entry.fault(expected: "a query that is not empty and has no control characters")
    }
    return query
  }

  /// The names of sources, or nil if the list is empty.
  private static func sources(_ entry: JSONEntry) throws(DocumentError) -> [SourceName]? {
    let names = try entry.elements(expected: "a list of sources, such as [\"mastodon\"]")
      .map { name throws(DocumentError) in
        SourceName(rawValue: try name.string(expected: "the name of a source"))
      }
    return names.isEmpty ? nil : names
  }

  private static func interval(_ entry: JSONEntry) throws(DocumentError) -> ExpectedInterval {
    guard case .string(let text) = entry.value, let interval = ExpectedInterval(text) else {
      throw entry.fault(expected: "an age such as \"12h\", \"2d\" or \"1w\"")
    }
    return interval
  }

  private static func date(_ entry: JSONEntry) throws(DocumentError) -> Date {
    guard case .string(let text) = entry.value, let date = RFC3339.parse(text) else {
      throw entry.fault(expected: "a date such as \"2026-11-21T09:00:00Z\"")
    }
    return date
  }

  /// The known keys.
  static let keys = [
    "query", "sources", "priority", "limit", "expect_within", "added",
  ]

  /// True if it has more than a query and the date when it was added.
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

  /// The entry as written to the file.
  var json: JSONValue { isString && members.count == 1 ? .string(query.text) : object }

  /// The entry as an object, whatever its form in the file.
  package var object: JSONValue { .object(members) }

  /// The unknown keys; they are kept for whoever put them there.
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
}

/// The longest time that a tag is expected to go without a post: a number with a unit, such as `12h`, `2d`
/// or `1w`.
package struct ExpectedInterval: Hashable, Sendable {
  private static let units: [Character: Double] = [
    "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  private static let longest = 100.0 * 366 * 86_400

  /// The text as it was written.
  package let text: String
  package let seconds: Double

  package init?(_ text: String) {
    guard let letter = text.last, let unit = Self.units[letter],
      text.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let number = Double(text.dropLast()), number > 0, number * unit <= Self.longest
    else { return nil }
    self.text = text
    seconds = number * unit
  }
}
