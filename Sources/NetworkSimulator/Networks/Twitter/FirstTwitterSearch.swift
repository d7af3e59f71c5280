internal import TextFormats

/// A search of the first API, `search.json`, in the shape that it had in 2012.
struct FirstTwitterSearch {
  private let parameters: Parameters
  private let world: SimulatedWorld

  /// The deepest result that paging reaches.
  private static let deepest = 1500

  init(_ parameters: Parameters, world: SimulatedWorld) {
    self.parameters = parameters
    self.world = world
  }

  var answer: SimulatedAnswer {
    guard let query = parameters["q"], !query.isEmpty else {
      return fault("You must enter a query.")
    }
    guard query.unicodeScalars.count <= 1000 else { return fault("Query parameters are too long.") }
    let size = min(max(1, parameters.integer("rpp") ?? 15), 100)
    let number = parameters["page"] == nil ? 1 : parameters.integer("page") ?? 0
    guard (1...Self.deepest).contains(number), number * size <= Self.deepest || number == 1 else {
      return fault("page parameter out of range.")
    }
    if let type = parameters["result_type"], !["mixed", "recent", "popular"].contains(type) {
      return fault("Invalid result_type.")
    }
    let body = page(number, size: size, query: query)
    guard let callback = parameters["callback"] else { return .json(body) }
    let text = Array("\(callback)(".utf8) + body.bytes + Array(");".utf8)
    return SimulatedAnswer(
      headers: [("Content-Type", "text/javascript; charset=utf-8")], body: text)
  }

  private func fault(_ message: String) -> SimulatedAnswer {
    .json(.members(["error": .string(message)]), status: 403)
  }

  private func page(_ number: Int, size: Int, query: String) -> JSONValue {
    let found = TwitterRange(query, parameters, world: world).posts
    let cut = world.cut(found, at: (number - 1) * size, size: size)
    let page = cut.shown
    let newest = found.first.map { "\(TwitterText.snowflake($0))" }
    let encoded = PercentDecoding.encode(query).replacing("%20", with: "+")
    let isLast = cut.next == nil || (number + 1) * size > Self.deepest
    let nextNumber = world.paging == .selfCursor && number > 1 ? number : number + 1
    let kept = ["rpp", "result_type", "lang", "include_entities", "until"].map { name in
      parameters[name].map { "&\(name)=\(PercentDecoding.encode($0))" } ?? ""
    }.joined()
    // Nothing found: the largest id is -1.
    let maxID = parameters["max_id"] ?? newest ?? "-1"
    let items = page.map(result)
    return .members([
      "completed_in": .number("0.036"), "max_id": .number(Int64(maxID).map { "\($0)" } ?? "0"),
      "max_id_str": .string(maxID),
      "next_page": isLast
        ? nil : world.cursor("?page=\(nextNumber)&max_id=\(maxID)&q=\(encoded)\(kept)"),
      "page": .integer(number), "query": .string(encoded),
      "refresh_url": .string("?since_id=\(newest ?? "0")&q=\(encoded)"),
      "results": .array(world.items(items, id: "id_str", text: ["text"], date: "created_at")),
      "results_per_page": .integer(size), "since_id": .integer(0), "since_id_str": "0",
    ])
  }

  private func result(_ post: CorpusPost) -> JSONValue {
    let text = SpannedText(TwitterText.pieces(post), style: TwitterText.firstStyle)
      .cut(to: post.shape == .repost ? 140 : 280)
    let id = TwitterText.snowflake(post)
    // Search had user ids of its own, and from_user_name came late.
    let userID = post.author.mark % 900_000_000
    let reply = post.shape == .reply ? post.other : nil
    let replyID = reply.map { $0.mark % 900_000_000 }
    return .members([
      "created_at": .string(DateForms.rfc822(post.milliseconds)),
      "entities": parameters.isOn("include_entities") ? TwitterEntities(text).json : nil,
      "from_user": .string(post.author.handle), "from_user_id": .integer(userID),
      "from_user_id_str": .string("\(userID)"), "from_user_name": .string(post.author.name),
      "geo": post.has(5, percent: 5)
        ? .members(["type": "Point", "coordinates": .array([.number("52.52"), .number("13.4")])])
        : .null,
      "id": .integer(id), "id_str": .string("\(id)"),
      "iso_language_code": .string(post.language ?? "en"),
      "metadata": .members(["result_type": .string(post.likes > 850 ? "popular" : "recent")]),
      "profile_image_url": .string(
        "http://a0.twimg.com/profile_images/\(post.author.ordinal)/n.png"),
      "profile_image_url_https": .string(
        "https://si0.twimg.com/profile_images/\(post.author.ordinal)/n.png"),
      "source": "&lt;a href=&quot;http://twitter.com/&quot;&gt;web&lt;/a&gt;",
      "text": .string(text.text), "to_user": .text(reply?.handle),
      "to_user_id": replyID.map { .integer($0) } ?? .null,
      "to_user_id_str": .text(replyID.map { "\($0)" }),
      "to_user_name": reply.map { .string($0.name) },
    ])
  }
}
