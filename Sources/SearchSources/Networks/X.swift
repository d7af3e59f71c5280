internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// X, through the recent search of its API v2: the posts of the last seven days.
///
/// Needs a bearer token. 10 to 100 posts a page, newest first, pages by token; 450 requests in 15
/// minutes; `start_time` is inclusive and `end_time` exclusive, in whole seconds. Each returned post and
/// user costs money, including posts that others refer to and their authors, so requests ask for no more
/// than is needed.
/// https://docs.x.com/x-api/posts/search-recent-posts
///
/// All terms are remote, as operators: `from:`, `lang:`, `"phrase"`, `-word`.
/// https://docs.x.com/x-api/posts/search/integrate/operators
///
/// In 2026 the API began to replace "tweet" with "post". Both words are read everywhere; requests have the old ones,
/// and the new ones where a server refuses those.
package struct X: JSONSource {
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
  // `@name` is a mention, as on other networks.
  // An emoji has to be quoted where it has variants.
  private static let language = SearchLanguage(
    plainSigns: "_'", plainFirstSigns: "_@", quotesSymbols: true, tag: "#")

  package init() {}

  /// The reach of the recent search into the past, in seconds.
  private static let reach: TimeInterval = 7 * 86_400

  /// The most errors of a page that are told in words.
  private static let mostNotes = 20

  // Such as those about posts and users that others refer to, which may be gone.
  package let mayReportErrorsBesidePosts = true

  package func canBeAuthor(_ name: String) -> Bool {
    // A name, or the number of an account.
    HandleCharacters.areAll(name, signs: "_", count: 1...20)
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    let isUnknown = { (term: QueryTerm) in
      term.kind == .language && Self.languageCodes[term.value] == nil
    }
    guard split.remote.contains(where: { $0.kind == .language }) else { return split }
    // It refuses a code that it does not know, and one of several languages cannot be left to the filter alone.
    let isPartlyUnknown = split.remote(.language).contains(where: isUnknown)
    split.makeLocal {
      isUnknown($0) || isPartlyUnknown && $0.kind == .language && !$0.isExcluded
    }
    split.remote = split.remote.flatMap { term in
      let codes = term.kind == .language ? Self.languageCodes[term.value] : nil
      return codes?.map { QueryTerm(.language, $0, isExcluded: term.isExcluded) } ?? [term]
    }
    return split
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let credentials = try requiredCredentials(of: page)
    if let reason = unreachableReason(since: page.since, until: page.until, now: page.now) {
      throw Failure(.permanent, message: reason)
    }
    let search = PercentEncoding.query([
      ("query", text(of: page)),
      ("max_results", String(page.size(within: traits.pageSize))),
    ])
    var bounds: [(name: String, value: String)] = []
    // A start within a minute of the limit may be beyond it when the request arrives.
    if let since = page.since, since >= page.now.addingTimeInterval(60 - Self.reach) {
      // It must lie before the end, which is some seconds before the request by default.
      let start = min(since, page.now.addingTimeInterval(-60))
      bounds.append(("start_time", DateSpelling.rfc3339.text(of: start, .down)))
    }
    if let until = page.until, until < page.now.addingTimeInterval(-10) {
      bounds.append(("end_time", DateSpelling.rfc3339.text(of: until, .up)))
    }
    let (words, token) = Self.place(of: page.cursor)
    if let token { bounds.append(("next_token", token)) }
    let url = "\(page.server.text)/2/tweets/search/recent?\(search)&\(words.wantedFields)"
    return HTTPRequest(
      url: PercentEncoding.adding(bounds, to: url),
      headers: ["Authorization": "Bearer \(credentials.token)"])
  }

  /// The codes of `lang:` for each language that it knows. It refuses the old codes `in` and `iw`, which it gives posts.
  /// https://docs.x.com/x-api/posts/search/integrate/operators
  private static let languageCodes: [String: [String]] = {
    let same = """
      am ar bg bn bs ca ckb cs cy da de dv el en es et eu fa fi fr gu he hr ht hu hy id is it ja ka km kn ko lo lt lv \
      ml mr my ne nl no or pa pl ps pt ro ru sd si sk sl sr sv ta te th tl tr ug uk ur vi
      """.split(separator: " ").map { (String($0), [String($0)]) }
    let others = [
      ("fil", ["tl"]), ("hi", ["hi", "hi-Latn"]), ("nb", ["no"]), ("nn", ["no"]),
      ("zh", ["zh-CN", "zh-TW"]),
    ]
    return Dictionary(uniqueKeysWithValues: same + others)
  }()

  /// The longest query, in characters, that it takes without an enterprise account.
  /// https://docs.x.com/x-api/posts/search/integrate/build-a-query
  private static let longestQuery = 512

  /// The query, with what the run's filter can say in operators: all posts are paid for, those left out here, too.
  private func text(of page: PageRequest) -> String {
    let text = Self.language.text(of: page.split)
    guard !page.query.isRaw else { return text }
    let filter = page.filter
    let operators = [
      filter.leavesOutReposts ? "-is:retweet" : nil, filter.leavesOutReplies ? "-is:reply" : nil,
      languages(of: page),
    ]
    let whole = ([text] + operators.compactMap(\.self)).joined(separator: " ")
    return whole.unicodeScalars.count <= Self.longestQuery ? whole : text
  }

  /// The languages that the run is for, as an operator; nil for all, and where it cannot tell them.
  private func languages(of page: PageRequest) -> String? {
    let languages = page.filter.languages
    guard !languages.isEmpty, !page.query.terms.contains(where: { $0.kind == .language })
    else { return nil }
    var codes: [String] = []
    for language in languages {
      // No code finds the posts of a language that is not known.
      guard let known = Self.languageCodes[language] else { return nil }
      codes += known
    }
    let list = codes.map { "lang:\($0)" }.joined(separator: " OR ")
    return codes.count == 1 ? list : "(\(list))"
  }

  /// The words of a page's request, and its token; nil for the first page.
  private static func place(of cursor: Cursor?) -> (words: XWords, token: String?) {
    guard let text = cursor?.rawValue else { return (.tweet, nil) }
    guard text.hasPrefix(XWords.post.mark) else { return (.tweet, text) }
    let token = text.dropFirst(XWords.post.mark.count)
    return (.post, token.isEmpty ? nil : String(token))
  }

  /// Returns whether a server refuses the old words of a request.
  private static func refusesOldWords(_ response: HTTPResponse) -> Bool {
    guard response.status == 400 else { return false }
    return Answer.value(in: response) { root in
      for error in root.list("errors") {
        let named = error["parameters"]
        if named?["tweet.fields"] != nil || named?["expansions"] != nil { return true }
        if error["message"]?.string?.contains("[tweet.fields]") == true { return true }
      }
      return nil
    } ?? false
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    if page.cursor == nil, Self.refusesOldWords(response) {
      refusal.meaning = .page(.redirect(to: Cursor(rawValue: XWords.post.mark)))
      return
    }
    switch refusal.error.problem {
    case "client-forbidden", "unsupported-authentication": refusal.meaning = .credential
    case _ where refusal.error.reason == "client-not-enrolled": refusal.meaning = .credential
    case _ where response.status == 402:
      refusal.advice = "add credits to the account of X_BEARER_TOKEN"
    case let problem where response.status == 429:
      // A spent monthly quota has the status of a momentary limit.
      guard problem == "usage-capped" || refusal.error.name == "UsageCapExceeded" else { return }
      refusal.meaning = .permanent
      refusal.advice =
        "raise the usage cap of the app of X_BEARER_TOKEN, or wait for its next period"
    default: break
    }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let words = Self.place(of: page.cursor).words
    let next = NextPage(answer["meta"]?["next_token"]) { Cursor(rawValue: words.mark + $0) }
    let notes = notes(in: answer)
    guard let data = answer["data"] else {
      // An empty response has only `meta`.
      guard answer["meta"]?.kind == .object else {
        throw answer.fault(missing: "neither data nor meta")
      }
      let count = answer["meta"]?["result_count"]?.count ?? 0
      let gap =
        count > 0 ? "a page was empty, although X counts \(Plural.count(count, "post"))" : nil
      return PageBuilder(of: name, on: page).page(next, gap: gap, notes: notes)
    }
    // A post that is looked up by its id is an object.
    guard data.kind == .array || data["id"] != nil else {
      throw answer.fault(missing: "data is not a list")
    }
    var builder = PageBuilder(of: name, on: page, expecting: data)
    let includes = XIncludes(answer["includes"], in: &builder.draft)
    if data.kind == .object { builder.add { read(data, with: includes, into: &$0, of: &$1) } }
    for item in data.elements {
      builder.add { read(item, with: includes, into: &$0, of: &$1) }
    }
    let items = builder.items
    var result = builder.page(next, notes: notes)
    let others = includes.users.count + includes.posts.count
    if others > 0 { result.charged = items + others }
    return result
  }

  /// The errors about posts and users that others refer to.
  private func notes(in answer: Answer) -> [String] {
    var notes: [String] = []
    var others = 0
    let errors = answer.root.list("errors")
    let secrets = errors.first == nil ? [] : answer.page.secrets
    for error in errors {
      guard notes.count < Self.mostNotes else {
        others += 1
        continue
      }
      guard let words = ErrorBody(JSON: error).words else { continue }
      let note = OneLine.of(words, without: secrets)
      if !notes.contains(note) { notes.append(note) }
    }
    return others == 0 ? notes : notes + ["and \(Plural.count(others, "further error"))"]
  }

  private func read(
    _ item: JSONNode, with includes: XIncludes, into post: inout PackedPost,
    of draft: inout PageDraft
  ) -> Bool {
    let own = XPostMembers(item)
    var retweeted: JSONNode?
    var answered: JSONNode?
    for reference in NodeList(own.references) {
      if reference["type"]?.isString("retweeted") == true {
        retweeted = reference["id"]
      } else if reference["type"]?.isString("replied_to") == true {
        answered = reference["id"]
      }
    }
    let isRetweet = retweeted?.identifier != nil
    // A retweet's own text is truncated to 140 characters.
    let original = isRetweet ? includes.posts[retweeted].map(XPostMembers.init) : nil
    // Small parts of the two, which are large.
    let shown = original?.extras ?? own.extras
    var links = NodeAddresses()
    let text =
      original.flatMap { wholeText(of: $0, adding: &links) } ?? wholeText(of: own, adding: &links)
    var media = AttachmentList()
    for key in NodeList(shown.attachments?["media_keys"]) {
      if let medium = includes.media[key] { media.add([medium]) }
    }
    guard text != nil || !media.isEmpty else { return false }
    // All versions of a post share the id of the first.
    let first = NodeList(own.history).first.flatMap { first in
      own.id.map(first.isSameString) == true || first.identifier == nil ? nil : first
    }
    let account = includes.users[own.authorID]
    let page = draft.write { Self.append(addressOf: own.id, to: &$0) }
    post.id = draft.keep(identifier: own.id, endOf: page)
    guard !post.id.isNone else { return false }
    post.url =
      account.map { draft.join($0.url, page, from: Self.anybody.utf8CodeUnitCount) } ?? page
    post.uri = first.map { id in draft.write { Self.append(addressOf: id, to: &$0) } } ?? page
    if let first { post.firstID = draft.write { PathPart.append(first, to: &$0) } }
    post.author = account ?? PackedAuthor(handle: draft.keep(identifier: own.authorID))
    if let text { post.text = draft.write { text.append(to: &$0) } }
    if isRetweet {
      post.repostedBy = post.author
      nameAuthor(of: &post, own, original, in: includes, &draft)
    }
    post.createdAt = own.createdAt?.rfc3339(allowing: .missingZone)
    post.language = draft.keep(own.language)
    post.topics = draft.list(topics: hashtags(of: shown))
    post.links = draft.list(links.all)
    post.attachments = draft.list(media.all)
    // A retweet has no likes and replies of its own.
    post.counts = counts(original?.metrics ?? own.metrics)
    post.replyTo = draft.keep(identifier: answered)
    post.repostOf = draft.keep(identifier: retweeted)
    post.isSensitive = own.isSensitive?.bool
    // A post has one poll at most.
    let poll = NodeList(shown.attachments?["poll_ids"]).first
    post.poll = draft.list(lines: includes.polls[poll] ?? [])
    let isProtected = includes.isProtected(own.authorID) || includes.isProtected(original?.authorID)
    if isProtected { post.visibility = .private }
    return true
  }

  /// Finds the author of a retweeted post.
  private func nameAuthor(
    of post: inout PackedPost, _ own: XPostMembers, _ original: XPostMembers?,
    in includes: XIncludes, _ draft: inout PageDraft
  ) {
    if let known = original.flatMap({ includes.users[$0.authorID] }) {
      post.author = known
    } else if let named = own.text.flatMap(TweetText.init).flatMap({ TweetText.retweet($0.plain) })
    {
      // As the original or its author is gone, the retweet itself names the author.
      post.author = draft.keep(
        Author(handle: named.handle, url: "https://x.com/\(PathPart.of(named.handle))"))
      if original == nil { post.text = draft.keep(named.text) }
    } else if let id = original?.authorID {
      post.author = PackedAuthor(handle: draft.keep(identifier: id))
    }
  }

  private func hashtags(of post: XPostExtras) -> NodeTexts {
    NodeTexts("tag", of: (post.note?["entities"] ?? post.entities)?["hashtags"])
  }

  /// Returns the whole text and adds its links; nil if there is no text.
  private func wholeText(of post: XPostMembers, adding links: inout NodeAddresses) -> TweetText? {
    let note = post.extras.note?["text"].flatMap(TweetText.init)
    guard var text = note ?? post.text.flatMap(TweetText.init) else { return nil }
    let extras = post.extras
    let entities =
      note == nil ? extras.entities : extras.note?["entities"] ?? extras.entities
    for url in NodeList(entities?["urls"]) {
      let address = XAddress(url)
      guard let short = address.short else { continue }
      let expanded = address.expanded ?? short
      text.expand(short, at: address.start?.count, to: expanded)
      if !address.isOfPicture { links.add(expanded) }
    }
    return text
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
      default: continue
      }
    }
    return counts
  }

  /// Stands in for the user's page in the address of a post: X ignores which user it names.
  private static let anybody: StaticString = "https://x.com/i"

  private static func append(addressOf id: JSONNode?, to bytes: inout ByteBlock) {
    bytes.append(anybody)
    bytes.append("/status/")
    PathPart.append(id, to: &bytes)
  }
}

/// The words of X for its posts in requests: those of before August 2026, and those since.
private struct XWords {
  static let tweet = XWords(
    mark: "", fields: "tweet.fields",
    "attachments,author_id,created_at,edit_history_tweet_ids,entities,lang,note_tweet,"
      + "possibly_sensitive,public_metrics,referenced_tweets",
    expansions: "author_id,referenced_tweets.id,referenced_tweets.id.author_id")
  // Author and references are not among the new fields: their expansions return them.
  static let post = XWords(
    mark: "post.fields ", fields: "post.fields",
    "attachments,created_at,entities,lang,note_post,possibly_sensitive,public_metrics",
    expansions: "author_id,referenced_posts")

  /// The beginning of the cursors of searches with these words.
  let mark: String
  /// The fields of posts and of what they refer to, in the form of a query. Encoded once: they are most of a request.
  let wantedFields: String

  private init(mark: String, fields: String, _ names: String, expansions: String) {
    self.mark = mark
    wantedFields = PercentEncoding.query([
      (fields, names),
      ("expansions", expansions + ",attachments.media_keys,attachments.poll_ids"),
      ("user.fields", "name,protected,username"),
      ("media.fields", "alt_text,media_key,preview_image_url,type,url,variants"),
    ])
  }
}
