internal import TextFormats

/// Tumblr: the posts of a tag.
///
/// <https://www.tumblr.com/docs/en/api/v2#tagged--get-posts-with-tag>
struct TumblrNetwork: SimulatedNetwork {
  let name = "tumblr"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["v2", "tagged"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    guard parameters["api_key"] == world.credentials.tumblrKey else {
      return refusal(401, to: request)
    }
    guard let tag = parameters["tag"], !tag.isEmpty else { return refusal(400, to: request) }
    let limit = parameters["limit"].map { Int($0) ?? 0 } ?? 20
    guard (1...20).contains(limit) else { return refusal(400, to: request) }
    var before = Int.max
    if let text = parameters["before"] {
      guard let second = Int(text), second >= 0 else { return refusal(400, to: request) }
      before = second
    }
    var found = world.posts(QueryTerms(tag), network: name).drop { $0.seconds >= before }
    if let text = parameters["offset"] {
      guard let offset = Int(text), offset >= 0 else { return refusal(400, to: request) }
      found = found.dropFirst(offset)
    }
    let size = world.paging == .shortPages ? (limit + 1) / 2 : limit
    let isText = parameters["filter"] == "text"
    let items = world.items(
      found.prefix(size).map { json($0, isText: isText) }, id: "id_string",
      text: ["body", "caption", "summary"], date: "timestamp")
    return .json(answer(200, items: items))
  }

  private func answer(_ status: Int, items: [JSONValue] = [], detail: String? = nil) -> JSONValue {
    let errors = detail.map { detail in
      JSONValue.array([
        .members([
          "title": .string(ReasonPhrase.of(status)), "code": .integer(1000 + status % 100),
          "detail": .string(detail),
        ])
      ])
    }
    return .members([
      "meta": .members(["status": .integer(status), "msg": .string(ReasonPhrase.of(status))]),
      "response": .array(items), "errors": errors,
    ])
  }

  private func json(_ post: CorpusPost, isText: Bool) -> JSONValue {
    let id = 700_000_000_000_000_000 + post.mark % 90_000_000_000_000_000
    let body = isText ? post.plainText : Markup.paragraphs(post.pieces)
    let kind = Kind(of: post)
    let isPhoto = kind == .photo
    let second = DateForms.seconds(post.milliseconds)
    return .members([
      "type": .string(kind.rawValue), "blog_name": .string(post.author.handle),
      "blog": .members(["name": .string(post.author.handle), "title": .string(post.author.name)]),
      "id": .integer(id), "id_string": .string("\(id)"),
      "post_url": .string("https://\(post.author.handle).tumblr.com/post/\(id)/some-words"),
      "date": .string(second.replacing("T", with: " ").dropLast() + " GMT"),
      "timestamp": .integer(post.seconds), "state": "published", "format": "html",
      "tags": .texts(post.hashtags),
      "summary": kind.hasWords ? .string(post.title) : "", "note_count": .integer(post.likes),
      "title": kind != .text || post.has(91, percent: 50) ? nil : .string(post.title),
      "body": kind == .text ? .string(body) : nil,
      "caption": isPhoto ? .string(body) : kind.hasWords ? nil : "",
      "track_name": kind == .audio ? .string(post.title) : nil,
      "artist": kind == .audio ? .string(post.author.name) : nil,
      "plays": kind == .audio ? .integer(post.reposts) : nil,
      "player": player(kind),
      "source_url": kind.hasWords ? nil : .string("https://media.example/\(id)"),
      "source_title": kind == .video ? .string(post.title) : nil,
      "photos": isPhoto
        ? .array([
          .members([
            "caption": "",
            "original_size": .members(["url": .string("https://media.example/\(id).png")]),
          ])
        ]) : nil,
    ])
  }

  private func player(_ kind: Kind) -> JSONValue? {
    let frame = "<iframe src=\"https://media.example/player\"></iframe>"
    return switch kind {
    case .text, .photo: nil
    case .audio: .string(frame)
    case .video: .array([.members(["width": .integer(250), "embed_code": .string(frame)])])
    }
  }

  /// The kinds of posts. Music and videos mostly have no caption.
  private enum Kind: String {
    case text, photo, audio, video

    init(of post: CorpusPost) {
      self = post.hasImage ? .photo : .text
      guard self == .text, post.has(92, percent: 10) else { return }
      self = post.has(93, percent: 50) ? .audio : .video
    }

    var hasWords: Bool { self == .text || self == .photo }
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    let detail = status == 401 ? "Unable to authorize" : "The request was refused"
    return .json(answer(status, detail: detail), status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    .json(answer(429, detail: "Limit Exceeded"), status: 429)
      .adding("X-Ratelimit-Perday-Limit", "5000").adding("X-Ratelimit-Perday-Remaining", "3999")
      .adding("X-Ratelimit-Perday-Reset", "86400").adding("X-Ratelimit-Perhour-Limit", "1000")
      .adding("X-Ratelimit-Perhour-Remaining", "0")
      .adding("X-Ratelimit-Perhour-Reset", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 1000, seconds: 3600)
  }

  func headers(
    stating level: QuotaLevel, for request: SimulatedRequest
  ) -> [(name: String, value: String)] {
    [
      ("X-Ratelimit-Perday-Limit", "\(level.quota.limit * 5)"),
      ("X-Ratelimit-Perday-Remaining", "\(level.quota.limit * 4 + level.remaining)"),
      ("X-Ratelimit-Perday-Reset", "43200"),
      ("X-Ratelimit-Perhour-Limit", "\(level.quota.limit)"),
      ("X-Ratelimit-Perhour-Remaining", "\(level.remaining)"),
      ("X-Ratelimit-Perhour-Reset", level.remaining == 0 ? "1" : "1800"),
    ]
  }
}
