internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// A feed that was read, prepared for searches.
struct FeedReading {
  let document: FeedDocument
  private let identities: FeedIdentities
  /// Each with its searchable text if there are terms to filter by.
  private let entries: [(entry: FeedEntry, text: SearchedText)]

  /// - Parameters:
  ///   - isFiltered: Whether there are terms to filter by.
  ///   - isOrdered: Whether the entries are in their network's order, which then is kept; otherwise the
  ///     newest come first.
  init(_ document: FeedDocument, isFiltered: Bool, isOrdered: Bool = false) {
    self.document = document
    identities = FeedIdentities(of: document.entries)
    let entries = isOrdered ? document.entries : Self.newestFirst(document.entries)
    self.entries = entries.map { entry in
      (entry, isFiltered ? FeedFilter.text(of: entry) : SearchedText(""))
    }
  }

  /// The posts of the entries that pass a filter.
  ///
  /// - Parameters:
  ///   - publisher: The author of entries that name nobody, by the name of the feed.
  ///   - versions: Names an entry by its first version.
  func posts(
    passing filter: FeedFilter, from source: SourceName, for page: PageRequest,
    publisher: Author = Author(), versions: FeedVersions = FeedVersions()
  ) -> PageBuilder {
    var builder = PageBuilder(of: source, on: page)
    let address = Self.marked(page.server)
    for _ in 0..<document.brokenEntries { builder.noteBroken() }
    for (entry, text) in entries where filter.accepts(entry, text) {
      let id = identities.id(of: entry)
      builder.add {
        FeedPost.post(
          entry, id: id, firstID: versions.first(of: id), at: address, language: document.language,
          publisher: publisher, in: &$0)
      }
    }
    return builder
  }

  /// A server's address without its query, in place of which is a hash of it, so that documents are told apart.
  /// The hash does not cover secrets.
  private static func marked(_ server: ServerAddress) -> String {
    let whole = AddressSecrets.masked(server.address(of: "{query}"))
    guard let mark = whole.utf8.firstIndex(of: UInt8(ascii: "?")) else { return server.text }
    let hash = FeedIdentities.hash([String(whole[mark...])]) & 0xFF_FFFF
    return "\(server.text)?\(String(hash, radix: 16))"
  }

  /// The reason entries may be missing.
  var gap: String? {
    if document.isEndUnread {
      let read = "only the first \(document.entries.count) entries of the feed were read"
      return "\(read), as it is too large"
    }
    if document.isTooLong {
      return "only the newest \(document.entries.count) entries of the feed were read"
    }
    return document.isCut ? "the feed was cut off" : nil
  }

  /// Entries by date, undated ones last: some feeds begin with their oldest entries, and a cap must keep
  /// the newest.
  private static func newestFirst(_ entries: [FeedEntry]) -> [FeedEntry] {
    let dates = entries.map { $0.date ?? .distantPast }
    let order = entries.indices.sorted { one, other in
      dates[one] == dates[other] ? one < other : dates[one] > dates[other]
    }
    return order.map { entries[$0] }
  }
}

/// Filters entries by the terms of a query, on feeds without search.
///
/// Title, text and categories of an entry must contain all terms as whole words, and no exclusion; case
/// and marks on Latin letters are ignored. `#tag` matches a category, a hashtag or the word.
struct FeedFilter {
  private let wanted: [SoughtText]
  private let unwanted: [SoughtText]

  init(_ terms: [QueryTerm]) {
    func texts(_ terms: [QueryTerm]) -> [SoughtText] {
      terms.map { SoughtText($0, hashtag: $0.value) }.filter { !$0.isEmpty }
    }
    wanted = texts(terms.filter { !$0.isExcluded })
    unwanted = texts(terms.filter(\.isExcluded))
  }

  /// True if every entry passes.
  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

  /// The searchable text of an entry; preparing it costs more than searching it.
  static func text(of entry: FeedEntry) -> SearchedText {
    // Parts are separated, so that no phrase matches across them.
    let parts = [entry.title ?? "", entry.text] + entry.categories
    return SearchedText(parts.joined(separator: "\n\n"))
  }

  /// - Parameter text: The searchable text of the entry.
  func accepts(_ entry: FeedEntry, _ text: SearchedText) -> Bool {
    wanted.allSatisfy { $0.isIn(text, topics: entry.categories) }
      && !unwanted.contains { $0.isIn(text, topics: entry.categories) }
  }
}
