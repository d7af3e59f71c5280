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
package struct SearchTag: Sendable {
  /// The numbers of posts that a search can be limited to.
  package static let limits = 1...10_000_000

  private enum Storage: Sendable {
    case content(Kept)
    /// A part of a file, which takes a tenth of the memory of its content. It was read once before.
    case text(TagText, start: UInt32, count: UInt32)
  }

  private final class Kept: Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
  }

  private var storage: Storage
  /// True if the file has it as a string rather than an object.
  private var isString = false

  package var query: Query {
    get { content.query }
    set { change("query", .string(newValue.text)) { $0.query = newValue } }
  }
  /// The sources to search, never empty; nil for all.
  package var sources: [SourceName]? {
    get { content.sources }
    set {
      change("sources", newValue.map { .array($0.map { .string($0.rawValue) }) }) {
        $0.sources = newValue
      }
    }
  }
  package var priority: TagPriority? {
    get { content.priority }
    set { change("priority", newValue.map { .string($0.rawValue) }) { $0.priority = newValue } }
  }
  /// The number of posts wanted of one search; at least 1.
  package var limit: Int? {
    get { content.limit }
    set { change("limit", newValue.map { .integer($0) }) { $0.limit = newValue } }
  }
  /// The longest time that it is expected to go without a post; nil for the setting of the run.
  package var expectWithin: ExpectedInterval? {
    get { content.expectWithin }
    set {
      change("expect_within", newValue.map { .string($0.text) }) { $0.expectWithin = newValue }
    }
  }
  package var added: Date? {
    get { content.added }
    set {
      change("added", newValue.map { .string(RFC3339.formatSeconds($0)) }) { $0.added = newValue }
    }
  }

  package init(
    _ query: Query, sources: [SourceName]? = nil, priority: TagPriority? = nil, limit: Int? = nil,
    expectWithin: ExpectedInterval? = nil, added: Date? = nil
  ) {
    storage = .content(Kept(Content(query)))
    self.sources = sources
    self.priority = priority
    self.limit = limit
    self.expectWithin = expectWithin
    self.added = added
  }

  /// Reads an entry of a list: an object, or a query alone.
  ///
  /// - Parameter source: Where its text is, to be read again when it is needed; nil to keep its content.
  init(_ entry: JSONEntry, in source: (text: TagText, range: Range<Int>)?) throws(DocumentError) {
    let content = try Content(entry)
    if let source, source.range.upperBound <= UInt32.max {
      storage = .text(
        source.text, start: UInt32(source.range.lowerBound), count: UInt32(source.range.count))
    } else {
      storage = .content(Kept(content))
    }
    if case .string = entry.value { isString = true }
  }

  /// All that it says.
  private var content: Content {
    switch storage {
    case .content(let kept): return kept.content
    case .text(let text, let start, let count):
      do throws(DocumentError) {
        return try Content(text.entry(at: start, count: count))
      } catch {
        preconditionFailure("its text was read before, and cannot change")
      }
    }
  }

  /// The same with its content at hand, to look at several settings of it.
  package var unpacked: SearchTag {
    guard case .text = storage else { return self }
    var tag = self
    tag.storage = .content(Kept(content))
    return tag
  }

  private mutating func change(
    _ key: String, _ value: JSONValue?, _ change: (inout Content) -> Void
  ) {
    var content = content
    change(&content)
    content.set(key, value)
    storage = .content(Kept(content))
  }

  /// The known keys.
  static let keys = Content.keys

  /// True if it has more than a query and the date when it was added.
  var hasSettings: Bool { content.members.contains { $0.key != "query" && $0.key != "added" } }

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
  var json: JSONValue {
    let content = content
    return isString && content.members.count == 1
      ? .string(content.query.text) : .object(content.members)
  }

  /// The entry as an object, whatever its form in the file.
  package var object: JSONValue { .object(content.members) }

  /// The unknown keys; they are kept for whoever put them there.
  var unknownKeys: [String] { content.members.map(\.key).filter { !Self.keys.contains($0) } }

  /// True if both have one origin, so that they need not be compared.
  private func sharesStorage(with other: SearchTag) -> Bool {
    switch (storage, other.storage) {
    case (.content(let one), .content(let other)): one === other
    case (.text(let one, let start, _), .text(let other, let otherStart, _)):
      one === other && start == otherStart
    case (.content, .text), (.text, .content): false
    }
  }
}

extension SearchTag: Hashable {
  package static func == (one: Self, other: Self) -> Bool {
    guard one.isString == other.isString else { return false }
    return one.sharesStorage(with: other) || one.content == other.content
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isString)
    hasher.combine(content)
  }
}

/// The text of a tags file, of which entries are parts.
final class TagText: Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// An entry, as a document of its own.
  func entry(at start: UInt32, count: UInt32) throws(DocumentError) -> JSONEntry {
    let range = Int(start)..<Int(start) + Int(count)
    return try JSONDocument(reading: Array(bytes[range])).root(quotingValues: true)
  }
}

/// The contents of an entry in `tags.json`.
private struct Content: Hashable, Sendable {
  var query: Query
  var sources: [SourceName]?
  var priority: TagPriority?
  var limit: Int?
  var expectWithin: ExpectedInterval?
  var added: Date?
  /// All members of the object, in order.
  private(set) var members: [JSONMember]

  /// The known keys.
  static let keys = [
    "query", "sources", "priority", "limit", "expect_within", "added",
  ]

  init(_ query: Query) {
    self.query = query
    members = [JSONMember("query", .string(query.text))]
  }

  /// Reads an entry of a list: an object, or a query alone.
  init(_ entry: JSONEntry) throws(DocumentError) {
    guard case .object(let members) = entry.value else {
      self.init(try Self.query(entry, or: " or an object with a query"))
      return
    }
    let known = try entry.object(knowing: Self.keys, ignoresUnknown: true)
    guard let query = known["query"] else {
      throw entry.fault(expected: "an object with a \"query\"", found: "one without")
    }
    self.init(try Self.query(query))
    sources = try known["sources"].flatMap(Self.sources)
    priority = try known["priority"]?.choice()
    limit = try known["limit"]?.integer(in: SearchTag.limits)
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
      throw entry.fault(expected: "a non-empty query without control characters")
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

  mutating func set(_ key: String, _ value: JSONValue?) {
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
      text.utf8.dropLast().allSatisfy({ $0.isASCIIDigit || $0 == 0x2E }),
      let number = Double(text.dropLast()), number > 0, number * unit <= Self.longest
    else { return nil }
    self.text = text
    seconds = number * unit
  }
}
