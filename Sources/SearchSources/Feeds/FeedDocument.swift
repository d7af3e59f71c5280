internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// A feed, with the properties that all formats share.
struct FeedDocument: Hashable, Sendable {
  var title: String?
  /// The address of its page.
  var link: String?
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  var language: String?
  var entries: [FeedEntry] = []
  /// The number of empty entries.
  var brokenEntries = 0
  /// The address of the next page (RFC 5005, section 3; `next_url` of JSON Feed).
  var next: String?
  /// True if it names a next page, even one whose address cannot be used.
  var namesNext = false
  /// The number of entries on all pages (`totalResults` of OpenSearch).
  var total: Int?
  /// The date of the oldest entry that is kept, if some were dropped.
  private var oldestKept: Date?
  /// True if it was cut off.
  var isCut = false
  /// True if it has more entries than the limit.
  var isTooLong = false
  /// True if it has more elements than are read, so that its last entries are missing.
  var isEndUnread = false

  /// The maximum number of entries that are kept: the newest, wherever they are in the feed.
  static let entryLimit = 20_000

  /// Adds an entry. Call `keepNewest` after the last one.
  mutating func add(_ entry: FeedEntry) {
    guard !entry.isEmpty else {
      brokenEntries += 1
      return
    }
    if let oldestKept, (entry.date ?? .distantPast) <= oldestKept { return }
    entries.append(entry)
    // Rarely, as the entries are sorted each time.
    if entries.count >= Self.entryLimit + Self.entryLimit / 2 { keepNewest() }
  }

  /// Drops the oldest entries beyond the limit; undated ones count as the oldest.
  mutating func keepNewest() {
    guard entries.count > Self.entryLimit else { return }
    isTooLong = true
    let dates = entries.map { $0.date ?? .distantPast }
    let newest = entries.indices.sorted { (dates[$1], $0) < (dates[$0], $1) }
      .prefix(Self.entryLimit)
    oldestKept = newest.last.map { dates[$0] }
    entries = newest.sorted().map { entries[$0] }
  }
}

/// An entry of a feed, with the properties that all formats share.
struct FeedEntry: Hashable, Sendable {
  /// The identifier: `guid`, `id` or `rdf:about`.
  var id: String?
  /// The address of its page.
  var link: String?
  /// Plain text on one line.
  var title: String?
  /// Plain text, or empty.
  var text = ""
  var authors: [FeedPerson] = []
  var published: Date?
  var updated: Date?
  /// The BCP 47 tag of the feed.
  var language: String?
  /// All words of its categories, which searches look at.
  var categories: [String] = []
  /// The name of each category.
  var topics: [String] = []
  /// The addresses that it links to, in order, without duplicates.
  var links: [String] = []
  /// Pictures, videos, sound and other files.
  var attachments: [PostAttachment] = []
  /// The addresses of the attachments.
  var media: [String] { attachments.map(\.url) }
  /// The number of comments.
  var comments: Int?
  /// The identifier of the entry that it replies to.
  var replyTo: String?

  /// The date when it was published, or else updated.
  var date: Date? { published ?? updated }

  /// True if it has no content.
  var isEmpty: Bool {
    id == nil && link == nil && title == nil && text.isEmpty && authors.isEmpty && date == nil
      && attachments.isEmpty && categories.isEmpty
  }

  /// Its author, or the names of its authors; nil if it names nobody.
  var author: Author? {
    guard let first = authors.first else { return nil }
    let names = authors.compactMap { $0.name ?? $0.email }
    return Author(
      name: names.isEmpty ? nil : names.joined(separator: ", "),
      url: authors.count == 1 ? first.url : nil)
  }
}

/// An author of a feed or an entry.
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

  /// Reads the value of an RSS element that should be an e-mail address: `ada@example.org (Ada)`, `Ada
  /// <ada@example.org>`, or a name alone.
  init?(_ text: String) {
    // As most are.
    guard text.utf8.contains(where: { "@()<>[]".utf8.contains($0) }) else {
      self.init(name: Self.withoutMarks(text.asName))
      return
    }
    let words = text.unicodeScalars.split { letter in
      guard letter.isASCII else { return letter.properties.isWhitespace }
      let byte = UInt8(truncatingIfNeeded: letter.value)
      return byte.isASCIIBlank || "()<>[],;\"".utf8.contains(byte)
    }
    let found = words.lazy.map { Substring($0) }.first { Self.isEmail($0) }
    let email = found.map { $0.hasPrefix("mailto:") ? $0.dropFirst(7) : $0 }
    var remainder = text
    if let found { remainder = remainder.replacing(found, with: " ", maxReplacements: 1) }
    // The remains of brackets around name or address.
    for brackets in ["()", "<>", "[]"] { remainder = remainder.replacing(brackets, with: " ") }
    if email != nil {
      remainder = remainder.replacing("( )", with: " ").replacing("< >", with: " ")
        .replacing("[ ]", with: " ")
    }
    var name = Substring(remainder.asName)
    if email != nil, name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
    // As mail has them around a name with a comma.
    var plain = Substring(Self.withoutMarks(name))
    if email != nil, plain.count > 2, plain.hasPrefix("\""), plain.hasSuffix("\""),
      !plain.dropFirst().dropLast().contains("\"")
    {
      plain = plain.dropFirst().dropLast()
    }
    self.init(name: String(plain), email: email.map(String.init))
  }

  /// A name without the marks that separate it from what follows.
  private static func withoutMarks(_ name: some StringProtocol) -> String {
    var name = Substring(name)
    while let last = name.last, last.isWhitespace || ",;:".contains(last) { name.removeLast() }
    return String(name)
  }

  private static func isEmail(_ word: Substring) -> Bool {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !parts[1].hasPrefix(".") && !word.contains("/")
  }
}
