internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// YouTube's videos, through the search of its Data API v3.
///
/// Needs `YOUTUBE_API_KEY`, in the address. Each request costs 100 of the 10,000 units of a day, so every
/// page has the maximum of 50 videos. About 500 videos a query, roughly by date; `publishedAfter` and
/// `publishedBefore` in whole seconds. Texts are the beginning of a description. A query supports
/// `"phrases"` and `-word`. An author is a channel: its identifier has a parameter, its name is filtered
/// here.
/// https://developers.google.com/youtube/v3/docs/search/list
///
/// A spent quota is a 403 with a reason; it resets at midnight in California.
package struct YouTube: JSONSource {
  package let name: SourceName = "youtube"
  package let traits = SourceTraits(
    defaultServer: "https://www.googleapis.com", pageSize: 50...50,
    credentialNames: ["YOUTUBE_API_KEY"], needsCredentials: true, order: .approximate,
    abilities: [.words, .phrases, .excludedWords], givesExcerpts: true,
    filtersByDate: true, ceiling: 500,
    cost: RequestCost(perRequest: 100, unit: "quota units", defaultBound: 2000),
    attribution: "Videos belong to their authors, under YouTube's API terms: kept 30 days at most")

  /// A search that ends after this many videos was cut, as pages may be slightly short.
  private static let shortestCut = 450
  private static let ceiling = "YouTube returns only about 500 videos of a search"

  private static let language = SearchLanguage(
    plainSigns: "+'.&%/!?_#@-", plainFirstSigns: "'.&%_#@")

  package let knowsAuthorsByName = true

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    let authors = split.local.filter { $0.kind == .author && !$0.isExcluded }
    if authors.count == 1, let author = authors.first, author.value.hasPrefix("UC"),
      HandleCharacters.areAll(author.value, signs: "_-", count: 24...24)
    {
      split.local.removeAll { $0 == author }
      split.remote.append(author)
    }
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let credentials = try requiredCredentials(of: page)
    let channel = page.split.remote(.author).first
    let words = Self.language.text(of: page.split, without: .author)
    var parameters = [
      ("part", "snippet"), ("type", "video"), ("order", "date"),
      ("maxResults", String(traits.pageSize.upperBound)), ("q", words),
    ]
    if let channel { parameters.append(("channelId", channel.value)) }
    if let since = page.since {
      parameters.append(("publishedAfter", DateSpelling.rfc3339.text(of: since, .down)))
    }
    if let until = page.until {
      parameters.append(("publishedBefore", DateSpelling.rfc3339.text(of: until, .up)))
    }
    if let cursor = page.cursor { parameters.append(("pageToken", cursor.rawValue)) }
    parameters.append(("key", credentials.token))
    return HTTPRequest(
      url: "\(page.server.text)/youtube/v3/search?\(PercentEncoding.query(parameters))")
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    switch refusal.error.reason {
    case "quotaExceeded", "dailyLimitExceeded":
      refusal.meaning = .slowDown
      refusal.until = midnight(after: page.answered)
      refusal.advice = "try again when the daily quota has reset"
    case "rateLimitExceeded", "userRateLimitExceeded": refusal.meaning = .slowDown
    case "keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked":
      refusal.meaning = .credential
    case .some where refusal.error.words?.contains("API key not valid") == true:
      refusal.meaning = .credential
    case _: break
    }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder()
    for item in try answer.list("items", of: "items").elements {
      // Channels and playlists are not posts.
      let id = item["id"]
      if id?["channelId"] != nil || id?["playlistId"] != nil {
        builder.passOver()
      } else {
        builder.add(post(item, for: page))
      }
    }
    // Pages may be short, or even empty, before the last.
    let next = NextPage(answer["nextPageToken"])
    let isCut = next == .end && page.itemsBefore + builder.items >= Self.shortestCut
    return builder.page(isCut ? .beyondLimit(Self.ceiling) : next)
  }

  /// The end of the day in California, ignoring daylight saving time: at most an hour late.
  private func midnight(after moment: Date) -> Date {
    let offset = 8 * 3600.0
    let day = ((moment.timeIntervalSince1970 - offset) / 86_400).rounded(.down) + 1
    return Date(timeIntervalSince1970: day * 86_400 + offset)
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard let id = item["id"]?["videoId"]?.text, let snippet = item["snippet"],
      let title = snippet["title"]?.text
    else { return nil }
    var media = AttachmentList()
    let thumbnails = snippet["thumbnails"]
    media.add(
      (thumbnails?["high"] ?? thumbnails?["medium"] ?? thumbnails?["default"])?["url"]?.string,
      .image)
    let channel = snippet["channelId"]?.text
    let address = "https://www.youtube.com/watch?v=\(PercentEncoding.encode(id))"
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: Author(
        handle: channel ?? "", name: snippet["channelTitle"]?.text.map { Entities.decode($0) },
        url: channel.map { "https://www.youtube.com/channel/\(PathPart.of($0))" }),
      // Plain text, except for entities.
      title: Entities.decode(title),
      text: snippet["description"]?.string.map { Entities.decode($0) } ?? "",
      createdAt: (snippet["publishedAt"] ?? snippet["publishTime"])?.rfc3339(),
      attachments: media.all)
  }
}
