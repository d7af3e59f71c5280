internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Any feed: RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, JSON Feed 1.0 and 1.1.
///
/// A server is the whole address of a feed; `{query}` in it stands for what is searched, else the feed
/// is read as it is and its entries are filtered here: all words must stand in an entry's title, text
/// or categories. What stands for `{query}` are the words, with phrases in quotation marks; what is
/// excluded is judged here. No credentials; as many entries as the feed has, in its own order, and up to ten
/// pages where it names the next one on the same server (RFC 5005, section 3; `next_url` of JSON
/// Feed). Dates are filtered here.
package struct Feed: Source {
  package let name: SourceName = "feed"
  package let traits = SourceTraits(
    defaultServer: nil, takesWholeAddress: true, pageSize: 1...FeedDocument.entryLimit,
    order: .unordered,
    abilities: [.words, .phrases, .tags, .excludedWords, .excludedTags],
    attribution: "Entries belong to their authors, under the terms of their feed")

  private static let language = SearchLanguage(
    plainSigns: SearchLanguage.wordsOnly.plainSigns,
    plainFirstSigns: SearchLanguage.wordsOnly.plainFirstSigns, operators: [])
  private static let lastPage = 10
  private static let pageNote = "no more than 10 pages of a feed are read"

  // A feed gives its authors' names, and knows no handles.
  package var knowsAuthorsByName: Bool { true }

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    HTTPRequest(
      url: place(of: page).address,
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

  // All that is asked of a feed that cannot search is answered by the same document, which is read
  // once.
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

  /// A feed as it was read, with what all who look for something in it need.
  private struct Reading {
    let document: FeedDocument
    let identities: FeedIdentities
    /// The newest first, each with the text that terms are looked for in, if any are.
    let entries: [(entry: FeedEntry, text: SearchedText)]
  }

  private func feed(
    in response: HTTPResponse, to page: PageRequest, isFiltered: Bool
  ) throws(SourceFault) -> Reading {
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
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
    for (entry, text) in reading.entries where filter.accepts(text) {
      builder.add(
        FeedPost.post(
          entry, id: reading.identities.id(of: entry), from: name, for: page,
          language: feed.language))
    }
    let next = next(feed, after: place(of: page), servers: [page.server.text, response.url])
    return builder.page(
      next: next.cursor, after: page.cursor,
      gap: gap(in: feed), notes: next.notes)
  }

  private func gap(in feed: FeedDocument) -> String? {
    if feed.isTooLong {
      return "only the first \(feed.entries.count) entries of the feed were read"
    }
    return feed.isCut ? "the feed ends in the middle" : nil
  }

  /// Entries by date, undated ones last: some feeds begin with their oldest entries, and where only
  /// the first ones are taken, those are to be the newest.
  private func newestFirst(_ entries: [FeedEntry]) -> [FeedEntry] {
    let dates = entries.map { $0.date ?? .distantPast }
    let order = entries.indices.sorted { one, other in
      dates[one] == dates[other] ? one < other : dates[one] > dates[other]
    }
    return order.map { entries[$0] }
  }

  /// What a template takes for `{query}`.
  private func searchText(of page: PageRequest) -> String {
    page.query.isRaw
      ? page.query.text : Self.language.text(of: page.split.remote.filter { !$0.isExcluded })
  }

  /// The terms that entries are chosen by: of a feed that cannot search, all of them.
  private func localTerms(of page: PageRequest) -> [QueryTerm] {
    let terms =
      page.query.isRaw ? [QueryTerm(.word, page.query.text)] : page.split.remote
    return page.server.isTemplate ? terms.filter(\.isExcluded) : terms
  }

  /// The address of a page and its number; a cursor holds both.
  private func place(of page: PageRequest) -> (number: Int, address: String) {
    let parts = page.cursor?.rawValue.split(separator: " ", maxSplits: 1) ?? []
    guard parts.count == 2, let number = Int(parts[0]) else {
      return (1, page.server.address(of: PercentEncoding.encode(searchText(of: page))))
    }
    return (number, String(parts[1]))
  }

  /// Where the feed goes on, if that is on the same server.
  private func next(
    _ feed: FeedDocument, after place: (number: Int, address: String), servers: [String]
  ) -> (cursor: Cursor?, notes: [String]) {
    guard let next = feed.next, next != place.address, !feed.entries.isEmpty,
      servers.contains(where: { WebAddress.origin(of: $0) == WebAddress.origin(of: next) }),
      next.utf8.count <= 4096, next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return (nil, []) }
    guard place.number < Self.lastPage else { return (nil, [Self.pageNote]) }
    return (Cursor(rawValue: "\(place.number + 1) \(next)"), [])
  }
}
