internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// YouTube's videos, through the search of its Data API v3.
///
/// Needs `YOUTUBE_API_KEY`, in the address. Each request is one of the 100 searches of a day, so every
/// page has the maximum of 50 videos. About 500 videos a query, roughly by date; `publishedAfter` and
/// `publishedBefore` in whole seconds. Texts are the beginning of a description. A query supports
/// `"phrases"` and `-word`. An author is a channel: its identifier has a parameter, its name is filtered
/// here. Pages may be short, or even empty, before the last.
/// https://developers.google.com/youtube/v3/docs/search/list
package enum YouTube {
  private static let credential = "YOUTUBE_API_KEY"
  private static let words: QueryAbilities = [.words, .phrases, .excludedWords]
  private static let reason: NodePath = "error.errors.0.reason"

  package static let network = JSONNetwork(
    "youtube",
    traits: SourceTraits(
      defaultServer: "https://www.googleapis.com", pageSize: 50...50,
      credentialNames: [credential], needsCredentials: true, order: .approximate,
      abilities: words, givesExcerpts: true, filtersByDate: true, ceiling: 500,
      cost: RequestCost(perRequest: 1, unit: "searches of 100 a day", defaultBound: 50),
      attribution: "Videos belong to their authors, under YouTube's API terms: kept 30 days at most"
    ),
    request: NetworkRequest(
      address: AddressTemplate(
        path: "/youtube/v3/search",
        parameters: [
          "part": "snippet", "type": "video", "order": "date", "maxResults": "\(.limit)",
          "q": "\(.terms)", "channelId": "\(.author)",
          "publishedAfter": "\(.since(.rfc3339))", "publishedBefore": "\(.until(.rfc3339))",
          "pageToken": "\(.cursor)", "key": "\(.credential(credential))",
        ]),
      query: QueryRules(
        syntax: SearchLanguage(plainSigns: "+'.&%/!?_#@-", plainFirstSigns: "'.&%_#@"),
        writesAuthors: false, abilities: words.union(.authors), asksAuthor: isChannel),
      // A search that ends after 450 videos was cut, as pages may be slightly short.
      paging: NetworkPaging(
        way: .cursor("nextPageToken"), shortestCut: 450,
        beyond: "YouTube returns only about 500 videos of a search")),
    // Channels and playlists are not posts.
    items: JSONNetwork.Items(path: "items", skipped: ["id.channelId", "id.playlistId"]),
    fields: PostFields(
      [
        .id: "id.videoId", .url: [.link("https://www.youtube.com/watch?v=", "id.videoId")],
        .title: "snippet.title", .text: "snippet.description", .authorHandle: "snippet.channelId",
        .authorName: "snippet.channelTitle",
        .authorURL: [.link("https://www.youtube.com/channel/", "snippet.channelId")],
        .createdAt: ["snippet.publishedAt", "snippet.publishTime"],
        .media: [.each("snippet.thumbnails", ["high.url", "medium.url", "default.url"])],
      ], markup: [.title: .entities, .text: .entities, .authorName: .entities],
      mediaKind: .image),
    errors: [
      ErrorRule(
        path: reason, values: ["quotaExceeded", "dailyLimitExceeded"], meaning: .later,
        end: midnight, note: "try again when the daily quota has reset"),
      // Searches have a quota of their own, whose end has the reason of a short limit.
      ErrorRule(
        path: "error.message", part: "per day", meaning: .later, end: midnight,
        note: "try again when the daily quota has reset"),
      ErrorRule(
        path: reason, values: ["rateLimitExceeded", "userRateLimitExceeded"], meaning: .later),
      ErrorRule(
        path: reason,
        values: ["keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked"],
        meaning: .credential),
      // "API key expired" has no reason but this one.
      ErrorRule(path: "error.message", part: "API key", meaning: .credential),
      ErrorRule(
        path: "error.details.0.reason", values: ["API_KEY_*", "CONSUMER_*", "SERVICE_DISABLED"],
        meaning: .credential),
    ],
    knowsAuthorsByName: true)

  @Sendable private static func isChannel(_ author: String) -> Bool {
    author.hasPrefix("UC") && HandleCharacters.areAll(author, signs: "_-", count: 24...24)
  }

  /// The end of the day in California, ignoring daylight saving time: at most an hour late.
  @Sendable private static func midnight(after moment: Date) -> Date {
    let offset = 8 * 3600.0
    let day = ((moment.timeIntervalSince1970 - offset) / 86_400).rounded(.down) + 1
    return Date(timeIntervalSince1970: day * 86_400 + offset)
  }
}
