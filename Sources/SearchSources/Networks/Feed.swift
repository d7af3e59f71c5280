internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Any feed: RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1.
///
/// A server is the whole address of a feed. `{query}` in it is replaced by the words of the query, with
/// phrases in quotation marks, and exclusions are filtered here. Without `{query}`, all terms are: each
/// word must be in an entry's title, text or categories. No credentials; as many entries as the feed
/// has, in its own order, and up to ten pages if it links to the next one on the same server, or on https
/// of the same host (RFC 5005, section 3; `next_url` of JSON Feed). Dates are filtered here.
package struct Feed: Source {
  package let name: SourceName = "feed"
  package let traits = SourceTraits(
    defaultServer: nil, takesWholeAddress: true, pageSize: 1...FeedDocument.entryLimit,
    order: .unordered,
    abilities: [.words, .phrases, .tags, .excludedWords, .excludedTags],
    // Entries carry the date of their first draft, or a day without a time.
    lateness: 7 * SourceTraits.longLateness,
    attribution: "Entries belong to their authors, under the terms of their feed")

  private static let language = SearchLanguage(
    plainSigns: SearchLanguage.wordsOnly.plainSigns,
    plainFirstSigns: SearchLanguage.wordsOnly.plainFirstSigns, operators: [])
  private static let lastPage = 10
  private static let ceiling = "only the first 10 pages of a feed are read"

  // Feeds have authors' names, but no handles.
  package var knowsAuthorsByName: Bool { true }

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    HTTPRequest(
      url: address(of: page),
      headers: [
        "Accept":
          "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
          + "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
      ])
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    let filter = filter(of: page)
    let feed = try feed(in: response, to: page, isFiltered: !filter.isEmpty)
    return self.page(of: feed, to: page, filter, from: response)
  }

  // All searches on a feed without search get the same document, which is read once.
  package func pages(
    from response: HTTPResponse, to pages: [PageRequest]
  ) -> [Result<Page, SourceFault>] {
    guard let first = pages.first else { return [] }
    do throws(SourceFault) {
      let filters = pages.map(filter(of:))
      let feed = try feed(
        in: response, to: first, isFiltered: filters.contains { !$0.isEmpty })
      return zip(pages, filters).map { asked, filter in
        .success(page(of: feed, to: asked, filter, from: response))
      }
    } catch {
      return pages.map { _ in .failure(error) }
    }
  }

  /// A feed that was read, prepared for searches.
  private struct Reading {
    let document: FeedDocument
    let identities: FeedIdentities
    /// The newest first, each with its searchable text if there are terms to filter by.
    let entries: [(entry: FeedEntry, text: SearchedText)]
  }

  private func feed(
    in response: HTTPResponse, to page: PageRequest, isFiltered: Bool
  ) throws(SourceFault) -> Reading {
    let document = try FeedAnswer.read(response, to: page)
    return Reading(
      document: document, identities: FeedIdentities(of: document.entries),
      entries: newestFirst(document.entries).map { entry in
        (entry, isFiltered ? FeedFilter.text(of: entry) : SearchedText(""))
      })
  }

  private func filter(of page: PageRequest) -> FeedFilter { FeedFilter(localTerms(of: page)) }

  private func page(
    of reading: Reading, to page: PageRequest, _ filter: FeedFilter, from response: HTTPResponse
  ) -> Page {
    let feed = reading.document
    var builder = PageBuilder(expecting: feed.entries.count)
    for _ in 0..<feed.brokenEntries { builder.add(nil) }
    for (entry, text) in reading.entries where filter.accepts(entry, text) {
      builder.add(
        FeedPost.post(
          entry, id: reading.identities.id(of: entry), from: name, for: page,
          language: feed.language))
    }
    return builder.page(next(feed, after: page, from: response), gap: gap(in: feed))
  }

  private func gap(in feed: FeedDocument) -> String? {
    if feed.isTooLong {
      return "only the newest \(feed.entries.count) entries of the feed were read"
    }
    return feed.isCut ? "the feed was cut off" : nil
  }

  /// Entries by date, undated ones last: some feeds begin with their oldest entries, and a cap must keep
  /// the newest.
  private func newestFirst(_ entries: [FeedEntry]) -> [FeedEntry] {
    let dates = entries.map { $0.date ?? .distantPast }
    let order = entries.indices.sorted { one, other in
      dates[one] == dates[other] ? one < other : dates[one] > dates[other]
    }
    return order.map { entries[$0] }
  }

  /// The text that replaces `{query}` in an address.
  private func searchText(of page: PageRequest) -> String {
    page.query.isRaw
      ? page.query.text : Self.language.text(of: page.split.remote.filter { !$0.isExcluded })
  }

  /// The terms to filter entries by: all of them on a feed without search.
  private func localTerms(of page: PageRequest) -> [QueryTerm] {
    let terms =
      page.query.isRaw ? [QueryTerm(.word, page.query.text)] : page.split.remote
    return page.server.isTemplate ? terms.filter(\.isExcluded) : terms
  }

  /// The address of a page, which is its cursor.
  private func address(of page: PageRequest) -> String {
    page.cursor?.rawValue
      ?? page.server.address(of: PercentEncoding.encode(searchText(of: page)))
  }

  /// The next page, if that is on the same server.
  private func next(
    _ feed: FeedDocument, after page: PageRequest, from response: HTTPResponse
  ) -> NextPage {
    guard let next = feed.next else { return .end }
    guard next != address(of: page), next != response.url else {
      return .unreachable("the feed names the same page as its next one")
    }
    guard next.utf8.count <= NextPage.longestCursor,
      next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return .unreachable(NextPage.unusableCursor) }
    guard [page.server.text, response.url].contains(where: { WebLink.leads(from: $0, to: next) })
    else {
      return .unreachable(
        OneLine.of(
          "the next page is on another server, so it was not requested: \(next)",
          without: page.secrets))
    }
    return page.pagesBefore + 1 < Self.lastPage
      ? .at(Cursor(rawValue: next)) : .beyondLimit(Self.ceiling)
  }
}

/// The identifiers of the entries of one feed, the same in every run and in any order of entries.
///
/// Some feeds have one link or guid for many entries. Two entries are the same only if guid, link, title
/// and date all agree, or without a date, the text. The name of an entry is its guid, or else its link;
/// if other entries have that name too, a hash of link, title and date or text is added.
struct FeedIdentities {
  private enum Owner {
    /// Entries with this hash only.
    case entry(UInt64)
    case several
  }

  private var owners: [String: Owner] = [:]

  init(of entries: [FeedEntry]) {
    for entry in entries {
      guard let name = Self.name(of: entry) else { continue }
      let hash = Self.hash(of: entry)
      switch owners[name] {
      case nil: owners[name] = .entry(hash)
      case .entry(hash)?, .several?: break
      case .entry?: owners[name] = .several
      }
    }
  }

  /// The identifier of one of the entries.
  func id(of entry: FeedEntry) -> String {
    guard let name = Self.name(of: entry) else {
      let parts = [entry.title, Self.date(of: entry), entry.text] + entry.media
      return String(Self.hash(parts), radix: 16)
    }
    guard case .several? = owners[name] else { return name }
    return "\(name)~\(String(Self.hash(of: entry), radix: 16))"
  }

  private static func name(of entry: FeedEntry) -> String? {
    [entry.id, entry.link].lazy.compactMap(\.self).first { !$0.isEmpty }
  }

  private static func hash(of entry: FeedEntry) -> UInt64 {
    hash([entry.link, entry.title, date(of: entry) ?? entry.text])
  }

  private static func date(of entry: FeedEntry) -> String? { entry.date.map(RFC3339.format) }

  /// The FNV-1a hash, which is the same in every run, unlike that of `Hasher`.
  private static func hash(_ parts: [String?]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in (part ?? "").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return hash
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

/// Converts the entries of a feed to posts.
enum FeedPost {
  /// Returns the post of an entry.
  ///
  /// - Parameter id: The entry's identifier within the feed, as `FeedIdentities` gives it.
  static func post(
    _ entry: FeedEntry, id: String, from source: SourceName, for page: PageRequest,
    language: String?
  ) -> Post {
    var links = AddressList()
    for link in entry.links where link != entry.link { links.add(link) }
    let isEdited = entry.published != nil && entry.updated != entry.published
    return Post(
      id: id, source: source, server: page.server, url: entry.link,
      uri: "\(page.server.text)#\(fragment(of: id))", author: entry.author ?? Author(),
      title: entry.title, text: entry.text, createdAt: entry.date,
      editedAt: isEdited ? entry.updated : nil,
      language: self.language(entry.language) ?? self.language(language),
      topics: entry.topics, links: links.all, attachments: entry.attachments,
      counts: Counts(replies: entry.comments),
      replyTo: entry.replyTo)
  }

  /// A text that may be a BCP 47 tag, by its length (RFC 5646, section 4.4.1).
  private static func language(_ text: String?) -> String? {
    text.flatMap { (2...35).contains($0.utf8.count) ? $0 : nil }
  }

  /// The identifier as a fragment of the feed's address (RFC 3986, section 3.5).
  private static func fragment(of id: String) -> String {
    let isPlain = id.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"#%<>[\\]^`{|}".utf8.contains(byte)
    }
    return isPlain ? id : PercentEncoding.encode(id)
  }
}
