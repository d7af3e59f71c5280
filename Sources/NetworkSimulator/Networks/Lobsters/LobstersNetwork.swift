internal import TextFormats

/// Lobsters: the stories of a tag. Every word is a tag but those that find nothing.
///
/// <https://github.com/lobsters/lobsters>
struct LobstersNetwork: SimulatedNetwork {
  let name = "lobsters"

  private static let size = 25

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.method == "GET", let (tag, number) = place(request.route) else {
      return refusal(404, to: request)
    }
    let terms = QueryTerms(tag)
    guard !terms.findsNothing, !tag.contains(where: \.isWhitespace), tag == tag.lowercased() else {
      return refusal(404, to: request)
    }
    let found = world.posts(terms, network: name)
    let page = world.cut(
      found, at: (number - 1) * Self.size, size: Self.size, namesNext: false
    ).shown
    return .json(
      .array(
        world.items(
          page.map { json($0, tag: tag) }, id: "short_id", text: ["title"], date: "created_at")))
  }

  /// Reads `t/TAG.json` and `t/TAG/page/2.json`.
  private func place(_ route: [String]) -> (tag: String, number: Int)? {
    guard route.first == "t", let last = route.last, last.hasSuffix(".json") else { return nil }
    let end = String(last.dropLast(5))
    if route.count == 2 { return (end, 1) }
    guard route.count == 4, route[2] == "page", let number = Int(end), number > 0 else {
      return nil
    }
    return (route[1], number)
  }

  private func json(_ post: CorpusPost, tag: String) -> JSONValue {
    let id = Alphabet.base32.random(6, seed: post.mark)
    let isText = post.link == nil
    let local = DateForms.milliseconds(post.milliseconds - 5 * 3_600_000).dropLast()
    return .members([
      "short_id": .string(id), "created_at": .string(local + "-05:00"),
      "title": .string(post.title), "url": .string(post.link ?? ""),
      "score": .integer(post.likes / 5), "flags": .integer(0),
      "comment_count": .integer(post.replies),
      "description": .string(isText ? Markup.paragraphs(post.pieces) : ""),
      "description_plain": .string(isText ? post.plainText : ""),
      "submitter_user": .string(post.author.handle), "user_is_author": .bool(isText),
      "tags": .texts([tag]), "short_id_url": .string("https://lobste.rs/s/\(id)"),
      "comments_url": .string("https://lobste.rs/s/\(id)/some_words"),
    ])
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    .html("<html><body><p>\(ReasonPhrase.of(status))</p></body></html>", status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    .plain(
      "Throttled, sleep(1) between hits; more in config/initializers/rack_attack.rb", status: 429
    )
    .adding("RateLimit-Limit", "100").adding("RateLimit-Remaining", "0")
    .adding("RateLimit-Reset", "\(wait.endSeconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 100, seconds: 600)
  }
}
