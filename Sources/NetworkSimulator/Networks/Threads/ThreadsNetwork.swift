internal import TextFormats

/// Threads' keyword search, for an app that was approved for it.
///
/// <https://developers.facebook.com/docs/threads/keyword-search>
struct ThreadsNetwork: SimulatedNetwork {
  let name = "threads"

  /// Threads began on 2023-07-05.
  private static let earliest = 1_688_540_400

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["v1.0", "keyword_search"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    guard parameters["access_token"] == world.credentials.threadsAccessToken else {
      return fault(
        "Invalid OAuth access token - Cannot parse access token", "OAuthException", code: 190,
        status: 400)
    }
    guard let query = parameters["q"], !query.isEmpty else {
      return invalid("The parameter q is required")
    }
    let mode = parameters["search_mode"] ?? "KEYWORD"
    let type = parameters["search_type"] ?? "TOP"
    guard ["KEYWORD", "TAG"].contains(mode), ["TOP", "RECENT"].contains(type) else {
      return invalid("Param search_type must be one of {TOP, RECENT}")
    }
    let limit = parameters["limit"].map { Int($0) ?? 0 } ?? 25
    guard (1...100).contains(limit) else { return invalid("Param limit must be at most 100") }
    let now = world.now / 1000
    guard let since = bound("since", Self.earliest, parameters),
      let until = bound("until", now, parameters)
    else { return invalid("Param since must be a valid timestamp") }
    guard since >= Self.earliest else {
      return invalid("Param since must be greater than or equal to \(Self.earliest)")
    }
    guard until <= now else { return invalid("Param until must not be in the future") }
    var offset = 0
    if let cursor = parameters["after"] {
      guard cursor.hasPrefix("QVFI"), let number = Int(cursor.dropFirst(4), radix: 36) else {
        return invalid("Invalid cursors values")
      }
      offset = number
    }
    var found = world.posts(QueryTerms(mode == "TAG" ? "#" + query : query), network: name)
      .filter { (since...max(since, until)).contains($0.seconds) }
    if let author = parameters["author_username"] {
      found = found.filter { $0.author.handle == author }
    }
    if type == "TOP" { found = found.byRelevance }
    let page = world.cut(found, at: offset, size: limit)
    let fields = Set((parameters["fields"] ?? "id").split(separator: ",").map(String.init))
    let items = world.items(
      page.shown.map { json($0, fields: fields) }, id: "id", text: ["text"], date: "timestamp")
    return .json(
      .members([
        "data": .array(items), "paging": paging(offset, page, for: request, in: world),
      ]))
  }

  private func bound(_ name: String, _ defaultValue: Int, _ parameters: Parameters) -> Int? {
    guard let text = parameters[name] else { return defaultValue }
    return Int(text) ?? DateReading.day(text).map { $0 / 1000 }
  }

  /// The cursors of a page with posts, and the address of the next page, if there is one; under `dead-cursor` only
  /// that. https://developers.facebook.com/docs/graph-api/results
  private func paging(
    _ offset: Int, _ page: PageCut<CorpusPost>, for request: SimulatedRequest,
    in world: SimulatedWorld
  ) -> JSONValue? {
    guard !page.shown.isEmpty || page.next != nil else { return nil }
    let address = page.next.map { next in
      "http://\(request.host)\(request.path)?after=\(cursor(next))&limit=100"
    }
    let next = address.map { JSONValue.string($0) }
    if world.paging == .deadCursor { return .members(["next": next]) }
    let end = page.next ?? offset + page.shown.count
    return .members([
      "cursors": .members(["before": .string(cursor(offset)), "after": .string(cursor(end))]),
      "next": next,
    ])
  }

  private func cursor(_ offset: Int) -> String { "QVFI" + String(offset, radix: 36) }

  /// A post has the fields that were asked for, and its id.
  private func json(_ post: CorpusPost, fields: Set<String>) -> JSONValue {
    let key = Alphabet.base62.random(11, seed: post.mark)
    let second = DateForms.seconds(post.milliseconds).dropLast()
    let media = post.hasImage ? JSONValue.string("https://media.example/\(key).jpg") : nil
    let all = JSONValue.members([
      "id": .string("\(17_000_000_000_000_000 + post.mark % 900_000_000_000_000)"),
      "text": .string(post.plainText), "media_type": post.hasImage ? "IMAGE" : "TEXT_POST",
      "media_url": media,
      "permalink": .string("https://www.threads.net/@\(post.author.handle)/post/\(key)"),
      "timestamp": .string(second + "+0000"), "username": .string(post.author.handle),
      "has_replies": .bool(post.replies > 0), "is_quote_post": .bool(post.shape == .quote),
      "is_reply": .bool(post.shape == .reply),
    ])
    guard case .object(let members) = all else { return all }
    return .object(members.filter { $0.key == "id" || fields.contains($0.key) })
  }

  private func invalid(_ message: String) -> SimulatedAnswer {
    fault(message, "THApiException", code: 100, status: 400)
  }

  private func fault(
    _ message: String, _ type: String, code: Int, status: Int
  ) -> SimulatedAnswer {
    .json(
      .members([
        "error": .members([
          "message": .string(message), "type": .string(type), "code": .integer(code),
          "fbtrace_id": "A1b2C3",
        ])
      ]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: invalid("Invalid parameter")
    case 401: fault("Error validating access token", "OAuthException", code: 190, status: status)
    case 403:
      fault("Application does not have permission", "OAuthException", code: 10, status: status)
    case 404: fault("Unknown path components", "OAuthException", code: 2500, status: status)
    default: fault("An unknown error has occurred.", "OAuthException", code: 1, status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    fault("Application request limit reached", "OAuthException", code: 4, status: 403)
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 2200, seconds: 86_400)
  }
}
