internal import TextFormats

/// YouTube's search of the Data API v3.
///
/// <https://developers.google.com/youtube/v3/docs/search/list>
struct YouTubeNetwork: SimulatedNetwork {
  let name = "youtube"

  private static let ceiling = 500

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["youtube", "v3", "search"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    guard let key = parameters["key"] ?? request.header("x-goog-api-key") else {
      return fault(
        403, "The request is missing a valid API key.", reason: "forbidden", domain: "global")
    }
    guard key == world.credentials.youTubeKey else {
      return fault(
        400, "API key not valid. Please pass a valid API key.", reason: "badRequest",
        domain: "global")
    }
    return search(parameters, in: world)
  }

  private func search(_ parameters: Parameters, in world: SimulatedWorld) -> SimulatedAnswer {
    guard parameters["part"]?.isEmpty == false else { return invalid("part", "missingRequired") }
    let size = parameters["maxResults"].map { Int($0) ?? -1 } ?? 5
    guard (0...50).contains(size) else { return invalid("maxResults") }
    guard
      ["date", "rating", "relevance", "title", "viewCount"].contains(
        parameters["order"] ?? "relevance")
    else { return invalid("order") }
    var offset = 0
    if let token = parameters["pageToken"] {
      guard token.hasPrefix("C"), token.hasSuffix("QAA"),
        let number = Int(token.dropFirst().dropLast(3), radix: 32)
      else { return invalid("pageToken", "invalidPageToken") }
      offset = number
    }
    var start = Int.min
    var end = Int.max
    if let text = parameters["publishedAfter"] {
      guard let moment = DateReading.rfc3339(text) else { return invalid("publishedAfter") }
      start = moment
    }
    if let text = parameters["publishedBefore"] {
      guard let moment = DateReading.rfc3339(text) else { return invalid("publishedBefore") }
      end = moment
    }
    var found = world.posts(QueryTerms(parameters["q"] ?? ""), network: name)
      .filter { $0.milliseconds >= start && $0.milliseconds < end }
    if let channel = parameters["channelId"] {
      found = found.filter { self.channel(of: $0) == channel }
    }
    if parameters["order"] != "date" { found = found.byRelevance }
    found = Array(found.prefix(Self.ceiling))
    let page = world.cut(found, at: offset, size: size)
    // A page may have fewer than it was asked for although there are more.
    let shown = page.shown.filter { !$0.has(81, percent: 5) }
    let inner = world.items(shown.map(snippet), id: "title", text: ["title"], date: "publishedAt")
    let items = zip(shown, inner).map { post, snippet in item(post, snippet) }
    return .json(
      .members([
        "kind": "youtube#searchListResponse", "etag": "x",
        "nextPageToken": world.cursor(page.next.map(token)),
        "prevPageToken": offset > 0 ? .string(token(max(0, offset - size))) : nil,
        "regionCode": "US",
        "pageInfo": .members([
          "totalResults": .integer(1_000_000), "resultsPerPage": .integer(size),
        ]),
        "items": .array(items),
      ]))
  }

  private func token(_ offset: Int) -> String { "C" + String(offset, radix: 32) + "QAA" }

  private func item(_ post: CorpusPost, _ snippet: JSONValue) -> JSONValue {
    .members([
      "kind": "youtube#searchResult", "etag": "x",
      "id": .members([
        "kind": "youtube#video", "videoId": .string(Alphabet.base62.random(11, seed: post.mark)),
      ]),
      "snippet": snippet,
    ])
  }

  private func channel(of post: CorpusPost) -> String {
    "UC" + Alphabet.base62.random(22, seed: post.author.mark)
  }

  private func snippet(_ post: CorpusPost) -> JSONValue {
    let name = post.author.name.isEmpty ? post.author.handle : post.author.name
    let date =
      post.has(82, percent: 50)
      ? DateForms.seconds(post.milliseconds) : DateForms.wholeMilliseconds(post.milliseconds)
    let picture = "https://i.ytimg.com/vi/\(Alphabet.base62.random(11, seed: post.mark))/hq.jpg"
    return .members([
      "publishedAt": .string(date),
      "channelId": .string(channel(of: post)),
      "title": .string(Markup.escaped(post.title)),
      "description": .string(Markup.escaped(post.plainText)),
      "thumbnails": .members(["high": .members(["url": .string(picture)])]),
      "channelTitle": .string(Markup.escaped(name)), "liveBroadcastContent": "none",
      "publishTime": .string(date),
    ])
  }

  private func invalid(_ parameter: String, _ reason: String = "invalidParameter")
    -> SimulatedAnswer
  {
    fault(
      400, "Invalid value at '\(parameter)'", reason: reason, domain: "youtube.parameter")
  }

  private func fault(
    _ status: Int, _ message: String, reason: String, domain: String
  ) -> SimulatedAnswer {
    let detail = JSONValue.members([
      "message": .string(message), "domain": .string(domain), "reason": .string(reason),
    ])
    return .json(
      .members([
        "error": .members([
          "code": .integer(status), "message": .string(message), "errors": .array([detail]),
        ])
      ]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: invalid("q")
    case 401: fault(401, "Invalid Credentials", reason: "authError", domain: "global")
    case 403:
      fault(
        403, "YouTube Data API has not been used in project 1 before or it is disabled.",
        reason: "accessNotConfigured", domain: "usageLimits")
    default: fault(status, ReasonPhrase.of(status), reason: "backendError", domain: "global")
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    fault(
      403,
      "The request cannot be completed because you have exceeded your "
        + "<a href=\"/youtube/v3/getting-started#quota\">quota</a>.",
      reason: "quotaExceeded", domain: "youtube.quota")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    // 10,000 units at 100 for a search.
    Quota(key: name, limit: 100, seconds: 86_400)
  }
}
