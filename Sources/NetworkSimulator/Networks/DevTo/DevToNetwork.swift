internal import TextFormats

/// DEV: the articles of a tag, by how much is going on around them.
///
/// <https://developers.forem.com/api/v1#tag/articles>
struct DevToNetwork: SimulatedNetwork {
  let name = "devto"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["api", "articles"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    // No article has an invalid tag; large page sizes are capped silently.
    guard let tag = parameters["tag"], tag == tag.lowercased(), !tag.contains(where: \.isWhitespace)
    else { return .json(.emptyArray) }
    let size = min(max(parameters.integer("per_page") ?? 30, 1), 1000)
    let number = max(parameters.integer("page") ?? 1, 1)
    var found = world.posts(QueryTerms("#" + tag), network: name)
    // Beside `tag` the server ignores `tags_exclude`.
    if let days = parameters.integer("top") {
      found = found.filter { $0.milliseconds > world.now - days * 86_400_000 }
    }
    found = found.byRelevance
    let page = world.cut(found, at: (number - 1) * size, size: size, namesNext: false).shown
    return .json(
      .array(
        world.items(
          page.map { json($0, tag: tag) }, id: "id", text: ["title"], date: "published_at")))
  }

  private func json(_ post: CorpusPost, tag: String) -> JSONValue {
    let id = post.mark % 90_000_000_000 + 1
    let address = "https://dev.to/\(post.author.handle)/some-words-\(id)"
    let name = post.author.name.isEmpty ? post.author.handle : post.author.name
    let date = DateForms.seconds(post.milliseconds)
    let tags = [tag, "programming"] + (post.has(97, percent: 30) ? ["beginners"] : [])
    return .members([
      "type_of": "article", "id": .integer(id), "title": .string(post.title),
      "description": .string(post.plainText), "readable_publish_date": "Nov 20",
      "slug": .string("some-words-\(id)"),
      "path": .string("/\(post.author.handle)/some-words-\(id)"),
      "url": .string(address), "comments_count": .integer(post.replies),
      "public_reactions_count": .integer(post.likes),
      "positive_reactions_count": .integer(post.likes), "collection_id": .null,
      "published_timestamp": .string(date), "language": .text(post.language),
      "cover_image": .text(post.hasImage ? "https://media.example/\(id).png" : nil),
      "social_image": .string("https://media.example/\(id)-social.png"),
      "canonical_url": .string(post.link ?? address), "created_at": .string(date),
      "edited_at": post.shape == .edited
        ? .string(DateForms.seconds(post.milliseconds + 300_000)) : .null,
      "crossposted_at": .null, "published_at": .string(date), "reading_time_minutes": .integer(3),
      "tag_list": .texts(tags), "tags": .string(tags.joined(separator: ", ")),
      "user": .members([
        "name": .string(name), "username": .string(post.author.handle), "twitter_username": .null,
        "user_id": .integer(post.author.mark % 900_000),
      ]),
    ])
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    let message =
      status == 429 ? "Rate limit reached, try again in 30 seconds" : ReasonPhrase.of(status)
    return .json(
      .members(["error": .string(message), "status": .integer(status)]), status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    .json(
      .members([
        "error": .string("Rate limit reached, try again in \(wait.seconds) seconds"),
        "status": .integer(429),
      ]), status: 429
    ).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 30, seconds: 30)
  }
}
