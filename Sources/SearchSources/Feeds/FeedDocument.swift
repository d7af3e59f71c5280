internal import FoundationEssentials
internal import SearchModel

/// A feed, in the terms that all formats share.
struct FeedDocument: Hashable, Sendable {
  var title: String?
  /// The page for people.
  var link: String?
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  var language: String?
  var entries: [FeedEntry] = []
  /// Entries that say nothing.
  var brokenEntries = 0
  /// The address of the next page (RFC 5005, section 3; `next_url` of JSON Feed).
  var next: String?
  /// Whether it ends in the middle.
  var isCut = false
  /// Whether it holds more than is read.
  var isTooLong = false

  /// More entries than these are not read.
  static let entryLimit = 20_000

  mutating func add(_ entry: FeedEntry) {
    if entry.isEmpty { brokenEntries += 1 } else { entries.append(entry) }
  }
}

/// One entry of a feed, in the terms that all formats share.
struct FeedEntry: Hashable, Sendable {
  /// The entry's own identifier: `guid`, `id` or `rdf:about`.
  var id: String?
  /// The page for people.
  var link: String?
  /// Plain, on one line.
  var title: String?
  /// Plain; empty when there is none.
  var text = ""
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  /// BCP 47, as it says it.
  var language: String?
  var categories: [String] = []
  /// Addresses that it links to, in order, each once.
  var links: [String] = []
  /// Addresses of pictures, films and sound.
  var media: [String] = []
  /// The number of comments.
  var comments: Int?
  /// The identifier of the entry that it answers.
  var replyTo: String?

  /// When it was written, as far as it says.
  var date: Date? { published ?? updated }

  /// Whether it says nothing at all.
  var isEmpty: Bool {
    id == nil && link == nil && title == nil && text.isEmpty && authors.isEmpty && date == nil
      && media.isEmpty && categories.isEmpty
  }

  /// The name of its author or authors; nil when it names none.
  var author: Author? {
    guard let first = authors.first else { return nil }
    let names = authors.compactMap { $0.name ?? $0.email }
    return Author(
      name: names.isEmpty ? nil : names.joined(separator: ", "),
      url: authors.count == 1 ? first.url : nil)
  }
}

/// Who wrote a feed or an entry, as far as it says.
struct FeedPerson: Hashable, Sendable {
  var name: String?
  var email: String?
  var url: String?

  init?(name: String?, email: String? = nil, url: String? = nil) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.email = email.flatMap { $0.isEmpty ? nil : $0 }
    self.url = url.flatMap { $0.isEmpty ? nil : $0 }
    if self.name == nil, self.email == nil, self.url == nil { return nil }
  }

  /// Reads what stands where RSS wants an e-mail address: `ada@example.org (Ada)`, `Ada
  /// <ada@example.org>`, or a name alone.
  init?(_ text: String) {
    let words = text.split(whereSeparator: { $0.isWhitespace || "()<>[],;\"".contains($0) })
    let found = words.first { Self.isEmail($0) }
    let email = found.map { $0.hasPrefix("mailto:") ? $0.dropFirst(7) : $0 }
    var rest = text
    if let found { rest = rest.replacing(found, with: " ", maxReplacements: 1) }
    // What is left of the brackets around either of them.
    for brackets in ["()", "<>", "[]"] { rest = rest.replacing(brackets, with: " ") }
    if email != nil {
      rest = rest.replacing("( )", with: " ").replacing("< >", with: " ")
        .replacing("[ ]", with: " ")
    }
    var name = Substring(rest.asName)
    if email != nil, name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
    while let last = name.last, last.isWhitespace || ",;:".contains(last) { name.removeLast() }
    self.init(name: String(name), email: email.map(String.init))
  }

  private static func isEmail(_ word: Substring) -> Bool {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !parts[1].hasPrefix(".") && !word.contains("/")
  }
}
