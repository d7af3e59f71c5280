internal import TextFormats

/// A search of Reddit: what it does not understand it leaves out without a word.
struct RedditSearch: Sendable {
  private let parameters: Parameters
  private let size: Int

  /// Where a listing ends, whatever its pages are asked for.
  private static let ceiling = 250
  private static let spans = [
    "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000, "year": 31_536_000,
  ]

  init(_ parameters: Parameters) {
    self.parameters = parameters
    size = min(max(parameters.integer("limit") ?? 25, 1), 100)
  }

  /// Returns the listing that the search asks for.
  func page(in world: SimulatedWorld) -> SimulatedAnswer {
    guard let found = found(in: world) else { return listing([], after: nil) }
    guard let offset = offset(in: found) else { return listing([], after: nil) }
    let page = world.cut(found, at: offset, size: size)
    let inner = world.items(
      page.shown.map(json), id: "id", text: ["title", "selftext"], date: "created_utc")
    let items = inner.map { JSONValue.members(["kind": "t3", "data": $0]) }
    let after = page.next.flatMap { next in
      world.paging == nil ? page.shown.last.map(fullName) : Self.hiddenName + "\(next)"
    }
    return listing(items, after: world.cursor(after))
  }

  /// The name of a post that is filtered after paging, followed by the number of posts before the next.
  private static let hiddenName = "t3_~"

  /// The number of posts before the page that is asked for; nil if there is no such page.
  private func offset(in found: [CorpusPost]) -> Int? {
    guard let after = parameters["after"] else { return 0 }
    if after.hasPrefix(Self.hiddenName) { return Int(after.dropFirst(Self.hiddenName.count)) }
    return found.firstIndex { fullName($0) == after }.map { $0 + 1 }
  }

  /// The search results in order, or nil for an empty search.
  private func found(in world: SimulatedWorld) -> [CorpusPost]? {
    guard let query = parameters["q"], !query.isEmpty else { return nil }
    let start = parameters["t"].flatMap { Self.spans[$0] }.map { world.now / 1000 - $0 } ?? .min
    let terms = QueryTerms(query)
    var found = world.posts(terms, network: "reddit").filter { post in
      // Nobody's posts can be found by their author.
      post.seconds >= start && !(terms.namesAuthor && isDeleted(post))
    }
    if parameters["sort"] != "new" { found = found.byRelevance }
    return Array(found.prefix(Self.ceiling))
  }

  /// Returns the first page as a feed.
  func feed(in world: SimulatedWorld) -> SimulatedAnswer {
    let entries = (found(in: world) ?? []).prefix(size).map { post in
      let id = id(post.mark)
      let path = "https://www.reddit.com/r/programming/comments/\(id)/some_w%C3%B6rds/"
      let user = "https://www.reddit.com/user/\(post.author.handle)"
      let text = post.hasLink ? "" : "<div class=\"md\">\(Markup.paragraphs(post.pieces))</div>"
      let content =
        "<!-- SC_OFF -->\(text)<!-- SC_ON --> &#32; submitted by &#32; <a href=\"\(user)\"> "
        + "/u/\(post.author.handle) </a> <br/> <span><a href=\""
        + "\(Markup.escaped(post.link ?? path))\">[link]</a></span> &#32; <span><a "
        + "href=\"\(path)\">[comments]</a></span>"
      return """
        <entry><author><name>/u/\(post.author.handle)</name><uri>\(user)</uri></author>\
        <category term="programming" label="r/programming"/><content type="html">\
        \(Markup.escaped(content))</content><id>t3_\(id)</id><link href="\(path)" />\
        <updated>\(DateForms.offset(post.milliseconds, hours: 0))</updated>\
        <published>\(DateForms.offset(post.milliseconds, hours: 0))</published>\
        <title>\(Markup.escaped(post.title))</title></entry>
        """
    }
    let body = """
      <?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">\
      <id>/search.rss</id><title>reddit.com: search results</title>\(entries.joined())</feed>
      """
    return SimulatedAnswer(
      headers: [("Content-Type", "application/atom+xml; charset=UTF-8")], body: Array(body.utf8))
  }

  private func listing(_ items: [JSONValue], after: JSONValue?) -> SimulatedAnswer {
    .json(
      .members([
        "kind": "Listing",
        "data": .members([
          "after": after ?? .null, "dist": items.isEmpty ? nil : .integer(items.count),
          "modhash": "", "geo_filter": "", "children": .array(items), "before": .null,
        ]),
      ]))
  }

  private func fullName(_ post: CorpusPost) -> String { "t3_" + id(post.mark) }
  private func id(_ mark: UInt64) -> String { String(mark % 78_364_164_096 + 1, radix: 36) }

  /// Strings are escaped unless they are asked for as they are.
  private func text(_ text: String) -> JSONValue {
    guard parameters["raw_json"] != "1" else { return .string(text) }
    return .string(
      text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
  }

  private func poll(_ post: CorpusPost) -> JSONValue {
    .members([
      "total_vote_count": .integer(post.likes), "voting_end_timestamp": .null,
      "options": .array(
        post.poll.enumerated().map { index, option in
          .members(["id": .string("\(index + 1)"), "text": text(option)])
        }),
    ])
  }

  private func isDeleted(_ post: CorpusPost) -> Bool { post.has(61, percent: 4) }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = id(post.mark)
    let isDeleted = isDeleted(post)
    let path = "/r/programming/comments/\(id)/some_wörds/"
    return .members([
      "id": .string(id), "name": .string("t3_" + id), "subreddit": "programming",
      "subreddit_name_prefixed": "r/programming", "title": text(post.title),
      "selftext": post.hasLink ? "" : text(post.plainText),
      "author": .string(isDeleted ? "[deleted]" : post.author.handle),
      "author_fullname": isDeleted ? nil : .string("t2_\(post.author.ordinal)"),
      "permalink": .string(path), "is_self": .bool(!post.hasLink),
      "url": text(post.link ?? "https://www.reddit.com" + path),
      "created_utc": .number("\(post.seconds).0"), "created": .number("\(post.seconds + 28_800).0"),
      "edited": post.shape == .edited ? .number("\(post.seconds + 300).0") : .bool(false),
      "over_18": .bool(post.isSensitive), "spoiler": .bool(post.warning == "Spoilers"),
      "poll_data": post.poll.isEmpty ? nil : poll(post), "score": .integer(post.likes),
      "num_comments": .integer(post.replies),
      "crosspost_parent": post.shape == .repost ? .string("t3_" + self.id(post.earlierMark)) : nil,
      "link_flair_text": post.has(62, percent: 40) ? "Show & tell" : .null,
      "stickied": .bool(false), "hide_score": .bool(false), "domain": "self.programming",
    ])
  }
}
