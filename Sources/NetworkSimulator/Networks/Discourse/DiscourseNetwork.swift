internal import TextFormats

/// A Discourse forum: its full-text search.
///
/// <https://docs.discourse.org/#tag/Search>
struct DiscourseNetwork: SimulatedNetwork {
  let name = "discourse"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["search.json"], request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    let number = parameters.integer("page") ?? 1
    guard (1...DiscourseSearch.lastPage).contains(number) else {
      return fault("You supplied invalid parameters: page", "invalid_parameters", status: 400)
    }
    let search = DiscourseSearch(parameters["q"] ?? "")
    guard search.isLongEnough else {
      return fault("Your search term is too short.", "invalid_parameters", status: 400)
    }
    guard search.hasLongWord else {
      return .json(.members(["grouped_search_result": .null]))
    }
    return .json(search.page(number, in: world))
  }

  private func fault(_ message: String, _ type: String, status: Int) -> SimulatedAnswer {
    .json(
      .members(["errors": .texts([message]), "error_type": .string(type)]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    switch status {
    case 401, 403: fault("You are not permitted to view that.", "invalid_access", status: status)
    case 404: fault("The requested URL could not be found.", "not_found", status: status)
    case 429: fault("You’ve performed this action too many times.", "rate_limit", status: status)
    default: fault(ReasonPhrase.of(status), "error", status: status)
    }
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    .json(
      .members([
        "errors": .texts(["You’ve performed this action too many times, please try again later."]),
        "error_type": "rate_limit",
        "extras": .members([
          "wait_seconds": .integer(wait.seconds), "time_left": .string("\(wait.seconds) seconds"),
        ]),
      ]), status: 429
    ).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 200, seconds: 60)
  }
}

/// A search of a Discourse forum: the query contains all filters. Words match from their
/// beginning, and of a topic only one post is found.
struct DiscourseSearch: Sendable {
  /// The number of pages available.
  static let lastPage = 10
  private static let size = 50
  private static let blurbLength = 200

  /// Filters that no topic here passes.
  private static let strictFilters: Set = ["status", "badge", "group", "user", "category", "in"]

  private let query: String
  private let text: String
  private var isByDate = false
  private var after = Int.min
  private var before = Int.max
  private var findsNothing = false
  /// True if the query has a filter, or a word of three characters; quotation marks count.
  private(set) var hasLongWord = false

  init(_ query: String) {
    self.query = query
    var words: [String] = []
    for word in Self.words(of: query) {
      // Quotation marks do not keep a text from being a filter.
      let bare = word.filter { $0 != "\"" && $0 != "'" }
      let name = bare.prefix { $0.isLetter }
      if word == "order:latest" {
        isByDate = true
        continue
      }
      hasLongWord = hasLongWord || word.count >= 3
      if bare.hasPrefix("after:"), let day = DateReading.day(bare.dropFirst(6)) {
        after = day
      } else if bare.hasPrefix("before:"), let day = DateReading.day(bare.dropFirst(7)) {
        before = day
      } else if Self.strictFilters.contains(String(name)), bare.dropFirst(name.count).first == ":" {
        findsNothing = true
      } else if bare.hasPrefix("@"), bare.count > 1, !bare.contains(" ") {
        // A word beginning so is an author.
        words.append("from:\(bare.dropFirst())")
        hasLongWord = true
      } else {
        words.append(word)
      }
    }
    text = words.joined(separator: " ")
  }

  /// The words of a query; a text in quotation marks is one word.
  private static func words(of query: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in query {
      if character == "\"" { isQuoted.toggle() }
      if character.isWhitespace, !isQuoted {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// True if the query is long enough.
  var isLongEnough: Bool { query.count >= 3 }

  /// Returns a page of the answer.
  func page(_ number: Int, in world: SimulatedWorld) -> JSONValue {
    var found = matches(in: world)
    if !isByDate { found = found.byRelevance }
    let cut = world.cut(found, at: (number - 1) * Self.size, size: Self.size)
    let page = cut.shown
    let items = world.items(page.map(json), id: "id", text: ["blurb"], date: "created_at")
    return .members([
      "posts": .array(items), "topics": page.isEmpty ? nil : .array(page.map(topic)),
      "users": .emptyArray, "categories": .emptyArray, "tags": .emptyArray, "groups": .emptyArray,
      "grouped_search_result": .members([
        "more_posts": .null, "more_users": .null, "more_categories": .null,
        "term": .string(query), "search_log_id": .integer(7),
        "more_full_page_results": cut.next != nil ? .bool(true) : .null,
        "can_create_topic": .bool(false), "error": .null,
        "post_ids": .array(page.map { .integer(id(of: $0)) }), "user_ids": .emptyArray,
      ]),
    ])
  }

  /// The posts that are found, newest first, and of each topic only the newest.
  private func matches(in world: SimulatedWorld) -> [CorpusPost] {
    if findsNothing { return [] }
    let terms = QueryTerms(text)
    let posts = world.posts(terms, network: "discourse")
    var all: [CorpusPost] = []
    for post in posts {
      // Some topics hold the post that comes next, too.
      if post.has(104, percent: 10), !all.isEmpty { continue }
      all.append(post)
      if terms.hasWords, post.has(105, percent: 10) {
        all.append(post.nearMiss(of: terms.words) { $0 + "ly" })
      }
    }
    return all.filter { $0.milliseconds > after && $0.milliseconds < before }
      .sorted { $0.milliseconds > $1.milliseconds }
  }

  private func id(of post: CorpusPost) -> UInt64 { post.mark % 9_000_000_000 + 1 }
  private func topicID(of post: CorpusPost) -> UInt64 { post.mark % 800_000_000 + 1 }

  private func json(_ post: CorpusPost) -> JSONValue {
    let text = post.plainText
    let isCut = text.count > Self.blurbLength
    let blurb = isCut ? text.prefix(Self.blurbLength - 1) + "…" : text[...]
    return .members([
      "id": .integer(id(of: post)),
      "name": .text(post.author.name.isEmpty ? nil : post.author.name),
      "username": .string(post.author.handle),
      "avatar_template": .string("/user_avatar/forum.example/\(post.author.handle)/{size}/1.png"),
      "created_at": .string(DateForms.milliseconds(post.milliseconds)),
      "like_count": .integer(post.likes), "blurb": .string(Markup.escaped(String(blurb))),
      "post_number": .integer(post.shape == .reply ? post.replies + 2 : 1),
      "topic_id": .integer(topicID(of: post)),
    ])
  }

  private func topic(_ post: CorpusPost) -> JSONValue {
    let title = post.title
    return .members([
      "id": .integer(topicID(of: post)), "title": .string(title),
      "fancy_title": .string(Markup.escaped(title)), "slug": "some-words",
      "posts_count": .integer(post.replies + 1), "reply_count": .integer(post.replies),
      "created_at": .string(DateForms.milliseconds(post.milliseconds)), "closed": .bool(false),
      "archived": .bool(false), "tags": tags(post), "category_id": .integer(4),
    ])
  }

  /// Each a name or, in later versions, an object.
  private func tags(_ post: CorpusPost) -> JSONValue {
    .array(
      post.hashtags.map { name in
        post.has(106, percent: 50)
          ? .string(name)
          : .members(["id": .integer(7), "name": .string(name), "slug": .string(name)])
      })
  }
}
