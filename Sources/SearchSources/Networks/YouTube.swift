package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// YouTube's videos, by the search of its Data API v3.
///
/// Needs `YOUTUBE_API_KEY`, which it takes in the address. Each request costs 100 of the 10,000 units of
/// a day, however few videos it asks for, so every page has the most, 50. About 500 videos a query, by
/// date, but not exactly; `publishedAfter` and `publishedBefore` in whole seconds. Texts are the
/// beginning of a description. A query knows `"phrases"` and `-word`; an author is a channel, asked for
/// by its identifier, and judged here by its name. https://developers.google.com/youtube/v3/docs/search/list
///
/// A spent quota is a 403 with a reason; it comes back at midnight in California.
package struct YouTube: Source {
  package let name: SourceName = "youtube"
  package let traits = SourceTraits(
    defaultServer: "https://www.googleapis.com", pageSize: 50...50,
    credentialNames: ["YOUTUBE_API_KEY"], needsCredentials: true, order: .approximate,
    abilities: [.words, .phrases, .excludedWords], givesExcerpts: true,
    filtersByDate: true, ceiling: 500,
    cost: RequestCost(perRequest: 100, unit: "quota units", defaultBound: 2000),
    attribution: "Videos belong to their authors, under YouTube's API terms: kept 30 days at most")

  /// A search that ends after this many videos was cut: pages may be a little short.
  private static let shortestCut = 450
  private static let ceiling = "YouTube ends a search after about 500 videos"

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
    guard let credentials = page.credentials else {
      throw Failure(
        .credential, message: "a credential is needed", advice: "set YOUTUBE_API_KEY")
    }
    let channel = page.split.remote(.author).first
    let words = Self.language.text(of: page.split, without: .author)
    var parameters = [
      ("part", "snippet"), ("type", "video"), ("order", "date"),
      ("maxResults", String(traits.pageSize.upperBound)), ("q", words),
    ]
    if let channel { parameters.append(("channelId", channel.value)) }
    if let since = page.since { parameters.append(("publishedAfter", second(since, .down))) }
    if let until = page.until { parameters.append(("publishedBefore", second(until, .up))) }
    if let cursor = CountedCursor(page.cursor) { parameters.append(("pageToken", cursor.token)) }
    parameters.append(("key", credentials.token))
    return HTTPRequest(
      url: "\(page.server.text)/youtube/v3/search?\(PercentEncoding.query(parameters))")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    guard response.status == 403, let reason = reason(of: response) else {
      return SlowDown.verdict(on: response, now: now)
    }
    if isQuota(reason) { return .coolDown(until: midnight(after: now)) }
    return isRate(reason) ? .coolDown(until: nil) : .done
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw refusal(response, to: page).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let items = root["items"], items.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of items", response)
      }
      var builder = PageBuilder()
      for item in items.elements {
        // Channels and playlists are no posts, whoever sends them.
        let id = item["id"]
        if id?["channelId"] != nil || id?["playlistId"] != nil { continue }
        builder.add(post(item, for: page))
      }
      // Pages may be short, and even empty, before the last.
      let place = CountedCursor(page.cursor)
      let count = (place?.count ?? 0) + builder.items
      let token = builder.items == 0 ? nil : root["nextPageToken"]?.text
      guard let token, token != place?.token else {
        return builder.page(
          next: nil, after: nil, missing: count >= Self.shortestCut ? Self.ceiling : nil)
      }
      return builder.page(
        next: CountedCursor(token: token, count: count).cursor, after: page.cursor)
    }
  }

  private func refusal(_ response: HTTPResponse, to page: PageRequest) -> Refusal {
    var refusal = Refusal(response, to: page, from: traits)
    guard let reason = reason(of: response) else { return refusal }
    if isQuota(reason) {
      refusal.meaning = .slowDown
      refusal.until = midnight(after: page.answered)
      refusal.advice = "try again when the day's quota is back"
    } else if isRate(reason) {
      refusal.meaning = .slowDown
    } else if ["keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked"].contains(
      reason)
      || refusal.said.words?.contains("API key not valid") == true
    {
      refusal.meaning = .credential
    }
    return refusal
  }

  private func isQuota(_ reason: String) -> Bool {
    reason == "quotaExceeded" || reason == "dailyLimitExceeded"
  }

  private func isRate(_ reason: String) -> Bool {
    reason == "rateLimitExceeded" || reason == "userRateLimitExceeded"
  }

  /// The name of an error, which stands one level deeper than its words.
  private func reason(of response: HTTPResponse) -> String? {
    Answer.value(in: response) { root in
      root["error"]?.list("errors").first?["reason"]?.text
    }
  }

  /// The end of California's day, counted without its summer time: at most an hour late.
  private func midnight(after moment: Date) -> Date {
    let offset = 8 * 3600.0
    let day = ((moment.timeIntervalSince1970 - offset) / 86_400).rounded(.down) + 1
    return Date(timeIntervalSince1970: day * 86_400 + offset)
  }

  private func second(_ date: Date, _ rule: FloatingPointRoundingRule) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(rule))
    return RFC3339.format(whole).prefix(19) + "Z"
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard let id = item["id"]?["videoId"]?.text, let snippet = item["snippet"],
      let title = snippet["title"]?.text
    else { return nil }
    var media = AddressList()
    let thumbnails = snippet["thumbnails"]
    media.add(
      (thumbnails?["high"] ?? thumbnails?["medium"] ?? thumbnails?["default"])?["url"]?.string)
    let channel = snippet["channelId"]?.text
    let address = "https://www.youtube.com/watch?v=\(PercentEncoding.encode(id))"
    return Post(
      id: id, source: name, server: page.server, url: address, uri: address,
      author: Author(
        handle: channel ?? "", name: snippet["channelTitle"]?.text.map { Entities.decode($0) },
        url: channel.map { "https://www.youtube.com/channel/\(PathPart.of($0))" }),
      // Plain texts, but with their entities.
      title: Entities.decode(title),
      text: snippet["description"]?.string.map { Entities.decode($0) } ?? "",
      createdAt: (snippet["publishedAt"] ?? snippet["publishTime"])?.rfc3339(), media: media.all)
  }
}
