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

  /// The names that users have given to feeds.
  private let titles: [ServerAddress: String]

  package init(titles: [ServerAddress: String] = [:]) { self.titles = titles }

  // Feeds have authors' names, but no handles.
  package var knowsAuthorsByName: Bool { true }

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    HTTPRequest(url: address(of: page), headers: ["Accept": FeedAnswer.accept])
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

  private func feed(
    in response: HTTPResponse, to page: PageRequest, isFiltered: Bool
  ) throws(SourceFault) -> FeedReading {
    FeedReading(try FeedAnswer.read(response, to: page), isFiltered: isFiltered)
  }

  private func filter(of page: PageRequest) -> FeedFilter { FeedFilter(localTerms(of: page)) }

  private func page(
    of reading: FeedReading, to page: PageRequest, _ filter: FeedFilter,
    from response: HTTPResponse
  ) -> Page {
    let feed = reading.document
    // An entry that names nobody is by its feed.
    let publisher = Author(name: titles[page.server] ?? feed.title, url: feed.link)
    return reading.posts(passing: filter, from: name, for: page, publisher: publisher)
      .page(next(feed, after: page, from: response), gap: reading.gap)
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
    guard let next = feed.next else {
      return feed.namesNext ? .unreachable(NextPage.unusableCursor) : .end
    }
    guard next != address(of: page), next != response.url else {
      return .unreachable("the feed names the same page as its next one")
    }
    guard next.utf8.count <= Cursor.longest,
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
