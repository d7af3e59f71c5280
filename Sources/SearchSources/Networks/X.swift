package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// X, by the recent search of its API v2: the posts of the last seven days.
///
/// Needs a bearer token. 10 to 100 posts a page, newest first, pages by token; 450 requests in 15
/// minutes; `start_time` is inclusive and `end_time` exclusive, in whole seconds. Each post and user
/// that is returned is charged for, also the posts that others refer to and their authors, so no more
/// is asked than is wanted.
/// https://docs.x.com/x-api/posts/search-recent-posts
///
/// All of a query can be asked for, in its operators: `from:`, `lang:`, `"phrase"`, `-word`.
/// https://docs.x.com/x-api/posts/search/integrate/operators
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
    needsCredentials: true, pace: Pace(requests: 450, per: .seconds(900)),
    abilities: [
      .words, .phrases, .tags, .authors, .anyAuthor, .languages, .anyLanguage, .excludedWords,
      .excludedTags, .excludedAuthors, .excludedLanguages,
    ], filtersByDate: true, horizon: X.reach,
    cost: RequestCost(perPost: 1, mostPerPost: 6, unit: "posts read", defaultBound: 500),
    attribution: "Posts belong to their authors, under the X Developer Agreement")
  private let vocabulary: Vocabulary
  // `@name` is the mention that it is elsewhere.
  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_@", tag: "#")

  package init(vocabulary: Vocabulary = .tweet) { self.vocabulary = vocabulary }

  /// How far back the recent search goes.
  private static let reach: TimeInterval = 7 * 86_400

  package func canBeAuthor(_ name: String) -> Bool {
    // A name, or the number of an account.
    HandleCharacters.areAll(name, signs: "_", count: 1...20)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let credentials = page.credentials else {
      throw Failure(
        .credential, message: "a credential is needed", advice: "set X_BEARER_TOKEN")
    }
    if let until = page.until, until <= page.now.addingTimeInterval(-Self.reach) {
      throw Failure(.permanent, message: "only the last 7 days can be searched")
    }
    var parameters = [
      ("query", Self.language.text(of: page.split)),
      ("max_results", String(page.size(within: traits.pageSize))),
    ]
    switch vocabulary {
    case .tweet:
      parameters += [
        (
          "tweet.fields",
          "attachments,author_id,created_at,edit_history_tweet_ids,entities,lang,note_tweet,"
            + "possibly_sensitive,public_metrics,referenced_tweets"
        ),
        (
          "expansions",
          "author_id,referenced_tweets.id,referenced_tweets.id.author_id,attachments.media_keys"
        ),
      ]
    case .post:
      parameters += [
        (
          "post.fields",
          "attachments,created_at,edit_history_post_ids,entities,lang,note_post,"
            + "possibly_sensitive,public_metrics,referenced_posts"
        ),
        (
          "expansions",
          "author_id,referenced_posts,referenced_posts.author_id,attachments.media_keys"
        ),
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
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let data = root["data"] else {
        // An empty answer has only `meta`.
        guard let meta = root["meta"], meta.kind == .object else {
          if root["errors"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
          throw Answer.misshapen("neither data nor meta", response)
        }
        return PageBuilder().page(
          next: next(in: root), after: page.cursor, missing: beyondReach(of: page),
          notes: notes(in: root, for: page))
      }
      // Looked up by its id, a post stands there by itself.
      guard data.kind == .array || data["id"] != nil else {
        throw Answer.misshapen("data is no list", response)
      }
      let includes = XIncludes(root["includes"])
      var builder = PageBuilder(expecting: data.childCount)
      if data.kind == .object { builder.add(post(data, with: includes, for: page)) }
      for item in data.elements { builder.add(post(item, with: includes, for: page)) }
      var answered = builder.page(
        next: next(in: root), after: page.cursor, missing: beyondReach(of: page),
        notes: notes(in: root, for: page))
      let others = includes.users.count + includes.posts.count
      if others > 0 { answered.charged = builder.items + others }
      return answered
    }
  }

  private func refusal(_ response: HTTPResponse, to page: PageRequest) -> Refusal {
    var refusal = Refusal(response, to: page, from: traits)
    switch refusal.said.problem {
    case "client-forbidden", "unsupported-authentication": refusal.meaning = .credential
    case _ where refusal.said.reason == "client-not-enrolled": refusal.meaning = .credential
    case _ where response.status == 402:
      refusal.advice = "add credits to the account of X_BEARER_TOKEN"
    case _ where response.status == 429 && isUsageCap(refusal.said):
      refusal.meaning = .permanent
      refusal.advice =
        "raise the usage cap of the app of X_BEARER_TOKEN, or wait for its next period"
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

  /// Why there are more posts than can be asked for, where a search begins before the last seven days.
  private func beyondReach(of page: PageRequest) -> String? {
    guard let since = page.since, since < page.now.addingTimeInterval(-Self.reach) else {
      return nil
    }
    return "the search of X reaches back no more than 7 days"
  }

  /// What the answer says about posts and users that others refer to.
  private func notes(in root: JSONNode, for page: PageRequest) -> [String] {
    var notes: [String] = []
    for error in root.list("errors") {
      guard let words = ErrorBody(JSON: error).words else { continue }
      let note = OneLine.of(words, without: page.secrets)
      if !notes.contains(note) { notes.append(note) }
    }
    return notes
  }

  private func seconds(of date: Date, rounding rule: FloatingPointRoundingRule) -> String {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(rule))
    return RFC3339.format(whole).prefix(19) + "Z"
  }

  private func post(_ item: JSONNode, with includes: XIncludes, for page: PageRequest) -> Post? {
    let own = XPostMembers(item)
    guard let idNode = own.id, let id = idNode.identifier else { return nil }
    var retweeted: String?
    var answered: String?
    for reference in NodeList(own.references) {
      if reference["type"]?.isString("retweeted") == true {
        retweeted = reference["id"]?.identifier
      } else if reference["type"]?.isString("replied_to") == true {
        answered = reference["id"]?.identifier
      }
    }
    // A retweet's own text is cut at 140 characters.
    let original = retweeted.flatMap { includes.posts[$0] }.map(XPostMembers.init)
    var links = AddressList()
    var text =
      original.flatMap { wholeText(of: $0, adding: &links) } ?? wholeText(of: own, adding: &links)
    let account = self.author(own.authorID, in: includes)
    var author = account
    if retweeted != nil {
      // Where the original or its author is gone, the retweet itself names the author.
      let named = own.text.flatMap(TweetText.init).flatMap { TweetText.retweet($0.plain) }
      if let original, original.authorID != nil {
        author = self.author(original.authorID, in: includes)
      } else if let named {
        author = Author(handle: named.handle, url: "https://x.com/\(PathPart.of(named.handle))")
        if original == nil { text = named.text }
      }
    }
    var media = AddressList()
    for key in NodeList((original ?? own).attachments?["media_keys"]) {
      if let key = key.string { media.add(includes.media[key]) }
    }
    guard text != nil || !media.all.isEmpty else { return nil }

    let path = PathPart.of(id)
    // All versions of a post share the first one's id.
    let first = NodeList(own.history).first.flatMap {
      $0.isSameString(as: idNode) ? nil : $0.identifier.map { PathPart.of($0) }
    }
    return Post(
      id: id, source: name, server: page.server,
      url: address(of: path, below: account.url ?? "https://x.com/i"),
      uri: address(of: first ?? path, below: "https://x.com/i"), author: author, text: text ?? "",
      createdAt: own.createdAt?.rfc3339(allowing: .missingZone), language: own.language?.string,
      links: links.all,
      media: media.all, counts: counts(own.metrics), replyTo: answered, repostOf: retweeted,
      repostedBy: retweeted == nil ? nil : account, isSensitive: own.isSensitive?.bool)
  }

  /// The whole text, and its links; nil, and none, where there is no text.
  private func wholeText(of post: XPostMembers, adding links: inout AddressList) -> String? {
    if let note = post.note, let text = note["text"].flatMap(TweetText.init) {
      return plain(text, with: note["entities"] ?? post.entities, adding: &links)
    }
    guard let text = post.text.flatMap(TweetText.init) else { return nil }
    return plain(text, with: post.entities, adding: &links)
  }

  private func plain(
    _ text: TweetText, with entities: JSONNode?, adding links: inout AddressList
  ) -> String {
    var text = text
    for url in NodeList(entities?["urls"]) {
      guard let short = url["url"], let expanded = (url["expanded_url"] ?? short).string else {
        continue
      }
      text.expand(short, at: url["start"]?.count, to: expanded)
      // Pictures are addresses too; they are the post's media.
      let shown = url["display_url"]
      if shown?.hasPrefix("pic.twitter.com/") != true, shown?.hasPrefix("pic.x.com/") != true {
        links.add(expanded)
      }
    }
    return text.plain
  }

  /// Who wrote a post; one whom the answer does not tell of is shown by the id.
  private func author(_ id: JSONNode?, in includes: XIncludes) -> Author {
    guard let id = id?.identifier else { return Author() }
    return includes.users[id] ?? Author(handle: id)
  }

  private func counts(_ metrics: JSONNode?) -> Counts {
    var counts = Counts()
    guard let metrics else { return counts }
    for (key, value) in metrics.members {
      switch MemberKey(key) {
      case "like_count": counts.likes = value.count
      case "repost_count": counts.reposts = value.count
      case "retweet_count": counts.reposts = counts.reposts ?? value.count
      case "reply_count": counts.replies = value.count
      case "impression_count": counts.views = value.count
      case _: continue
      }
    }
    return counts
  }

  private func address(of id: String, below base: String) -> String {
    var address = ""
    address.reserveCapacity(base.utf8.count + 8 + id.utf8.count)
    address += base
    address += "/status/"
    address += id
    return address
  }
}
