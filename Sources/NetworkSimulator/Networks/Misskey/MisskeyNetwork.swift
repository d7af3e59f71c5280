internal import TextFormats

/// A Misskey server that lets nobody but its users search for words.
///
/// <https://misskey-hub.net/docs/for-developers/api/>
struct MisskeyNetwork: SimulatedNetwork {
  let name = "misskey"

  private struct Fields {
    var tag: String?
    /// The tags that must all be there.
    var tags: [String] = []
    var query: String?
    var limit = 10
    var hasBadLimit = false
    var until: String?
    var since: String?
    /// In milliseconds since 1970.
    var untilDate: Int64?
    var sinceDate: Int64?
    var token: String?
  }

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route.prefix(2) == ["api", "notes"], let endpoint = request.route.last,
      ["search", "search-by-tag"].contains(endpoint), request.route.count == 3
    else { return refusal(404, to: request) }
    guard request.method == "POST" else { return refusal(405, to: request) }
    guard request.header("content-type")?.hasPrefix("application/json") == true,
      let fields = JSONBody.read(request.body, Self.fields)
    else { return invalid("", "must be object") }
    if let token = fields.token, token != world.credentials.misskeyToken {
      return refusal(401, to: request)
    }
    guard !fields.hasBadLimit else { return invalid("limit", "must be >= 1 and <= 100") }
    if endpoint == "search-by-tag" {
      let tags = fields.tag.map { [$0] } ?? fields.tags
      guard !tags.isEmpty, tags.allSatisfy({ !$0.isEmpty }) else {
        return invalid("tag", "must NOT have fewer than 1 characters")
      }
      let posts = world.posts(
        QueryTerms(tags.map { "#" + $0 }.joined(separator: " ")), network: name)
      return notes(posts.map(MisskeyNote.init).filter(\.isOpen), fields, in: world)
    }
    guard let query = fields.query else { return invalid("query", "must be string") }
    guard fields.token != nil else {
      return fault(
        "Search of notes unavailable.", "UNAVAILABLE", "0b44998d-77aa-4427-80d0-d2c9b8523011",
        status: 400)
    }
    let terms = QueryTerms(query)
    let posts = world.posts(terms, network: name).map { post in
      // The search is for a text: now and then it is found within longer words alone.
      MisskeyNote(post.has(44, percent: 10) ? post.hiding(terms.words) : post)
    }
    return notes(posts, fields, in: world)
  }

  private static func fields(_ root: JSONNode) -> Fields? {
    guard root.kind == .object else { return nil }
    var fields = Fields(
      tag: root["tag"]?.string, query: root["query"]?.string, until: root["untilId"]?.string,
      since: root["sinceId"]?.string, untilDate: root["untilDate"]?.integer,
      sinceDate: root["sinceDate"]?.integer, token: root["i"]?.string)
    // A list of choices, each a list of tags; the corpus knows the first.
    if let choice = root["query"]?.elements.first(where: { _ in true }) {
      fields.tags = choice.elements.compactMap(\.string)
    }
    if let limit = root["limit"] {
      fields.limit = limit.integer.flatMap { Int(exactly: $0) } ?? 0
      fields.hasBadLimit = !(1...100).contains(fields.limit)
    }
    return fields
  }

  /// The page that a range asks for, as `QueryService.makePaginationQuery` reads it: dates count only
  /// where no id does, and a beginning without an end turns the order around.
  private func notes(
    _ all: [MisskeyNote], _ fields: Fields, in world: SimulatedWorld
  ) -> SimulatedAnswer {
    let all = world.paging == .oneMoment ? all.sorted { $0.id > $1.id } : all
    let found: [MisskeyNote]
    let isAscending: Bool
    if fields.since != nil || fields.until != nil {
      found = all.filter { note in
        (fields.until.map { note.id < $0 } ?? true) && (fields.since.map { note.id > $0 } ?? true)
      }
      isAscending = fields.until == nil
    } else {
      found = all.filter { note in
        (fields.untilDate.map { note.milliseconds < $0 } ?? true)
          && (fields.sinceDate.map { note.milliseconds > $0 } ?? true)
      }
      isAscending = fields.sinceDate != nil && fields.untilDate == nil
    }
    let limit = world.paging == .shortPages ? (fields.limit + 1) / 2 : fields.limit
    let page = (isAscending ? found.reversed() : found).prefix(limit)
    return .json(
      .array(world.items(page.map(\.json), id: "id", text: ["text", "cw"], date: "createdAt")))
  }

  private func invalid(_ parameter: String, _ reason: String) -> SimulatedAnswer {
    fault(
      "Invalid param.", "INVALID_PARAM", "3d81ceae-475f-4600-b2a8-2bc116157532", status: 400,
      info: .members(["param": .string(parameter), "reason": .string(reason)]))
  }

  private func fault(
    _ message: String, _ code: String, _ id: String, status: Int, info: JSONValue? = nil
  ) -> SimulatedAnswer {
    .json(
      .members([
        "error": .members([
          "message": .string(message), "code": .string(code), "id": .string(id),
          "kind": status < 500 ? "client" : "server", "info": info,
        ])
      ]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 400: invalid("", "must be object")
    case 401:
      fault(
        "Authentication failed. Please ensure your token is correct.", "AUTHENTICATION_FAILED",
        "b0a7f5f8-dc2f-4171-b91f-de88ad238e14", status: status)
    case 404:
      fault(
        "Unknown API endpoint.", "UNKNOWN_API_ENDPOINT", "2ca3b769-540a-4f08-9dd5-b5a825b6d0f1",
        status: status)
    case 429:
      fault(
        "Rate limit exceeded. Please try again later.", "RATE_LIMIT_EXCEEDED",
        "d5826d14-3982-4d2e-8011-b9e9f02499ef", status: status)
    default:
      fault(
        "Internal error occurred.", "INTERNAL_ERROR", "5d37dbcb-891e-41ca-a3d6-e690c97775ac",
        status: status)
    }
  }

  // It names no wait.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request)
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 300, seconds: 300)
  }
}
