package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// X, by the recent search of its API v2: the posts of the last seven days.
///
/// Needs a bearer token. 10 to 100 posts a page, newest first, pages by token; 450 requests in 15
/// minutes; `start_time` is inclusive and `end_time` exclusive, in whole seconds. Each post and user
/// that is returned is charged for, so no more is asked than is wanted.
/// https://docs.x.com/x-api/posts/search-recent-posts
///
/// In 2026 the API began to say "post" where it said "tweet". Either word is read at every depth.
package struct X: Source {
  /// The words that a request is written in.
  package enum Vocabulary: Sendable {
    /// `tweet.fields`, which the server still accepts.
    case tweet
    /// `post.fields`, as the specification has it since version 2.167.
    case post
  }

  package let name: SourceName = "x"
  package let traits = SourceTraits(
    defaultServer: "https://api.x.com", pageSize: 10...100, credentialNames: ["X_BEARER_TOKEN"],
    needsCredentials: true, pace: Pace(requests: 450, per: .seconds(900)), filtersByDate: true,
    attribution: "Posts belong to their authors, under the X Developer Agreement")
  private let vocabulary: Vocabulary

  package init(vocabulary: Vocabulary = .tweet) { self.vocabulary = vocabulary }

  /// How far back the recent search goes.
  private static let reach: TimeInterval = 7 * 86_400

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let credentials = page.credentials else {
      throw Failure(
        .credential, message: "a credential is needed", advice: "set X_BEARER_TOKEN")
    }
    if let until = page.until, until <= page.now.addingTimeInterval(-Self.reach) {
      throw Failure(.permanent, message: "only the last 7 days can be searched")
    }
    var parameters = [
      ("query", page.query.text), ("max_results", String(page.size(within: traits.pageSize))),
    ]
    switch vocabulary {
    case .tweet:
      parameters += [
        (
          "tweet.fields",
          "attachments,author_id,created_at,edit_history_tweet_ids,entities,lang,note_tweet,"
            + "possibly_sensitive,public_metrics,referenced_tweets"
        ), ("expansions", "author_id,referenced_tweets.id,attachments.media_keys"),
      ]
    case .post:
      parameters += [
        (
          "post.fields",
          "attachments,created_at,edit_history_post_ids,entities,lang,note_post,"
            + "possibly_sensitive,public_metrics,referenced_posts"
        ), ("expansions", "author_id,referenced_posts,attachments.media_keys"),
      ]
    }
    parameters += [
      ("user.fields", "name,username"), ("media.fields", "media_key,preview_image_url,type,url"),
    ]
    // A start within a minute of the border may lie beyond it when the request arrives.
    if let since = page.since, since >= page.now.addingTimeInterval(60 - Self.reach) {
      parameters.append(("start_time", seconds(of: since, rounding: .down)))
    }
    if let until = page.until, until < page.now.addingTimeInterval(-10) {
      parameters.append(("end_time", seconds(of: until, rounding: .up)))
    }
    if let cursor = page.cursor { parameters.append(("next_token", cursor.rawValue)) }
    return HTTPRequest(
      url: "\(page.server.text)/2/tweets/search/recent?\(PercentEncoding.query(parameters))",
      headers: ["Authorization": "Bearer \(credentials.token)"])
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    // A month's quota comes with the status of a moment's.
    if response.status == 429, isUsageCap(ErrorBody(response)) { return .done }
    return SlowDown.verdict(on: response, now: now)
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw refusal(response, to: page).fault }
    return try Answer.read(response) { (root) throws(SourceFault) in
      guard let data = root["data"] else {
        // An empty answer has only `meta`.
        guard let meta = root["meta"], meta.kind == .object else {
          if root["errors"] != nil { throw Answer.error(ErrorBody(JSON: root), response) }
          throw Answer.misshapen("neither data nor meta", response)
        }
        return PageBuilder().page(
          next: next(in: root), after: page.cursor, notes: notes(in: root, for: page))
      }
      guard data.kind == .array else { throw Answer.misshapen("data is no list", response) }
      let includes = Includes(root["includes"])
      var builder = PageBuilder()
      for item in data.elements { builder.add(post(item, with: includes, for: page)) }
      return builder.page(
        next: next(in: root), after: page.cursor, notes: notes(in: root, for: page))
    }
  }

  private func refusal(_ response: HTTPResponse, to page: PageRequest) -> Refusal {
    var refusal = Refusal(response, to: page, from: traits)
    switch refusal.said.problem {
    case "client-forbidden", "unsupported-authentication": refusal.meaning = .credential
    case _ where refusal.said.reason == "client-not-enrolled": refusal.meaning = .credential
    case _ where response.status == 402:
      refusal.advice = "add credits to the account of X_BEARER_TOKEN"
    case _ where response.status == 429 && isUsageCap(refusal.said): refusal.meaning = .permanent
    case _: break
    }
    return refusal
  }

  private func isUsageCap(_ said: ErrorBody) -> Bool {
    said.problem == "usage-capped" || said.name == "UsageCapExceeded"
  }

  private func next(in root: JSONNode) -> Cursor? {
    root["meta"]?["next_token"]?.identifier.map(Cursor.init(rawValue:))
  }

  /// What the answer says about posts and users that others refer to, and about its own reach.
  private func notes(in root: JSONNode, for page: PageRequest) -> [String] {
    var notes: [String] = []
    if page.cursor == nil, let since = page.since,
      since < page.now.addingTimeInterval(-Self.reach)
    {
      notes.append("only the last 7 days were searched")
    }
    for error in root.list("errors") {
      guard let words = ErrorBody(JSON: error).words else { continue }
      let note = OneLine.of(words)
      if !notes.contains(note) { notes.append(note) }
    }
    return notes
  }

  private func seconds(of date: Date, rounding rule: FloatingPointRoundingRule) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(rule))
    return RFC3339.format(whole).prefix(19) + "Z"
  }

  private func post(_ item: JSONNode, with includes: Includes, for page: PageRequest) -> Post? {
    guard item.kind == .object, let id = item["id"]?.identifier else { return nil }
    var retweeted: String?
    var answered: String?
    for reference in NodeList(item["referenced_posts"] ?? item["referenced_tweets"]) {
      if reference["type"]?.isString("retweeted") == true {
        retweeted = reference["id"]?.identifier
      } else if reference["type"]?.isString("replied_to") == true {
        answered = reference["id"]?.identifier
      }
    }
    // A retweet's own text is cut at 140 characters.
    let shown = retweeted.flatMap { includes.posts[$0] } ?? item
    let note = (shown["note_post"] ?? shown["note_tweet"]).flatMap { $0["text"] == nil ? nil : $0 }
    var links = AddressList()
    let shorts = shortLinks(in: note?["entities"] ?? shown["entities"], adding: &links)
    let text = (note?["text"] ?? shown["text"]).flatMap { TweetText.plain($0, expanding: shorts) }
    var media = AddressList()
    for key in NodeList(shown["attachments"]?["media_keys"]) {
      if let key = key.string { media.add(includes.media[key]) }
    }
    guard text != nil || !media.all.isEmpty else { return nil }

    let history = item["edit_history_post_ids"] ?? item["edit_history_tweet_ids"]
    let first = NodeList(history).first?.identifier ?? id
    let authorID = item["author_id"]?.identifier
    let author = authorID.flatMap { includes.users[$0] } ?? Author(handle: authorID ?? "")
    let user = author.url == nil ? "i" : PathPart.of(author.handle)
    let counts = item["public_metrics"]
    return Post(
      id: id, source: name, server: page.server,
      url: "https://x.com/\(user)/status/\(PathPart.of(id))",
      uri: "https://x.com/i/status/\(PathPart.of(first))", author: author, text: text ?? "",
      createdAt: item["created_at"]?.rfc3339(), language: item["lang"]?.string, links: links.all,
      media: media.all,
      counts: Counts(
        likes: counts?["like_count"]?.count,
        reposts: (counts?["repost_count"] ?? counts?["retweet_count"])?.count,
        replies: counts?["reply_count"]?.count, views: counts?["impression_count"]?.count),
      replyTo: answered, repostOf: retweeted, isSensitive: item["possibly_sensitive"]?.bool)
  }

  private func shortLinks(
    in entities: JSONNode?, adding links: inout AddressList
  ) -> [TweetText.Link] {
    var shorts: [TweetText.Link] = []
    for url in NodeList(entities?["urls"]) {
      guard let short = url["url"]?.string else { continue }
      let expanded = url["expanded_url"]?.string ?? short
      shorts.append(
        TweetText.Link(
          start: url["start"]?.count, short: short, expanded: expanded))
      // Pictures are addresses too; they are the post's media.
      let shown = url["display_url"]?.string ?? ""
      if !shown.hasPrefix("pic.twitter.com/"), !shown.hasPrefix("pic.x.com/") {
        links.add(expanded)
      }
    }
    return shorts
  }

  /// What stands beside the posts for them to refer to, by id.
  private struct Includes {
    var users: [String: Author] = [:]
    var posts: [String: JSONNode] = [:]
    var media: [String: String] = [:]

    init(_ node: JSONNode?) {
      guard let node else { return }
      for (key, list) in node.members {
        if key.isString("users") {
          for user in list.elements { add(user: user) }
        } else if key.isString("posts") || key.isString("tweets") {
          for post in list.elements {
            if let id = post["id"]?.identifier { posts[id] = post }
          }
        } else if key.isString("media") {
          for medium in list.elements {
            guard let key = medium["media_key"]?.string else { continue }
            media[key] = medium["url"]?.string ?? medium["preview_image_url"]?.string
          }
        }
      }
    }

    private mutating func add(user: JSONNode) {
      guard let id = user["id"]?.identifier, let handle = user["username"]?.string, !handle.isEmpty
      else { return }
      users[id] = Author(
        handle: handle, name: user["name"]?.text, url: "https://x.com/\(PathPart.of(handle))")
    }
  }
}
