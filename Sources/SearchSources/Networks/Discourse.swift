internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Posts of a Discourse forum, through its full-text search. Every forum is a server of its own.
///
/// No credentials; 50 posts a page and 10 pages a query, newest first. A query contains its order and
/// its dates in whole days, and supports `"phrases"`, `#tag` (or category; where there is neither, the word),
/// `tags:tag` and `@user`. It needs a word of at least three characters, or a filter. Returns one post per topic, the
/// last that matches; topics are sorted by their newest match, which after a merge may be a different post. Prefixes
/// match too, so posts with a word only inside a longer one are dropped here. Texts are excerpts.
/// https://docs.discourse.org/#tag/Search,
/// https://github.com/discourse/discourse/blob/main/lib/search.rb
package struct Discourse: JSONSource {
  package let name: SourceName = "discourse"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 50...50, firstPage: 1,
    // The usual limits for everybody who is not signed in are 2 a second and 15 a minute.
    pace: Pace(requests: 2, per: .seconds(8)), order: .approximate,
    abilities: [.words, .phrases, .tags, .authors], givesExcerpts: true, filtersByDate: true,
    ceiling: 500,
    attribution: "Posts belong to their authors, under the terms of their forum")

  private static let lastPage = 10
  private static let ceiling = "Discourse returns at most 10 pages of a query"

  private static let onePerTopic = "only the newest matching post of each topic can be found"

  // Its index has no other signs, so that `c++` would find every word that begins with a c. Words in quotation marks
  // are also looked for as they are written. Single letters are abbreviations of sort orders.
  private static let language = SearchLanguage(
    plainSigns: "'./_-", plainFirstSigns: "'_",
    operators: ["and", "or", "not", "l", "r", "t", "f"], tag: "#", tagSigns: "-",
    otherTag: (prefix: "tags:", signs: "-_"), author: "@")

  package func canBeAuthor(_ name: String) -> Bool {
    HandleCharacters.areAll(name, signs: "_-.")
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    split.wholeWords = split.remote.filter {
      ($0.kind == .word || $0.kind == .tag) && !$0.isExcluded
    }
    if split.remote.contains(where: Self.isFilter) {
      split.makeLocal { Self.withoutFilter($0).isEmpty }
      split.remote = split.remote.flatMap(Self.withoutFilter)
    }
    return split
  }

  /// Returns whether the forum takes a text for a filter, such as `@name` or `status:open`, which quotation marks do not
  /// prevent.
  private static func isFilter(_ term: QueryTerm) -> Bool {
    guard term.kind == .word || term.kind == .phrase else { return false }
    let text = term.value.filter { $0 != "'" && $0 != "\"" }
    let name = text.prefix { $0.isLetter || $0 == "-" || $0 == "_" }
    return text.lowercased() == "f" || text.dropFirst(name.count).first == ":"
      || "@#".contains(text.prefix(1)) && !text.contains(where: \.isWhitespace)
  }

  /// The words of a text that the forum would take for a filter.
  private static func withoutFilter(_ term: QueryTerm) -> [QueryTerm] {
    guard isFilter(term) else { return [term] }
    return term.value.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .map { QueryTerm(.word, String($0), isExcluded: term.isExcluded) }
      .filter { !isFilter($0) }
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    if split.remote.contains(where: { $0.kind == .author || $0.kind == .tag }) { return nil }
    // Quotation marks count.
    let words = Self.language.text(of: split).split(separator: " ")
    let isShort = words.allSatisfy { word in
      word.count < 3 && word.utf8.allSatisfy { $0 < 0x80 }
    }
    return isShort ? "this network needs a word of at least 3 characters" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    var terms = Self.language.text(of: page.split) + " order:latest"
    // Days begin at midnight UTC; `after` excludes that moment, and the day before would be read for nothing else.
    if let since = page.since { terms += " after:\(DateSpelling.date.text(of: since, .down))" }
    if let until = page.until {
      let day = until.addingTimeInterval(86_400 - 0.001)
      terms += " before:\(DateSpelling.date.text(of: day, .down))"
    }
    return page.request(
      "/search.json", ["q": terms, "page": String(numbered(page).number)],
      headers: ["Accept": "application/json"])
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    guard case .slowDown = refusal.meaning, response.headers["retry-after"] == nil else { return }
    if let seconds = refusal.error.waitSeconds, (0...86_400).contains(seconds) {
      refusal.until = page.answered.addingTimeInterval(seconds)
    } else {
      // The limits of searches name no wait.
      refusal.usualEnd = page.answered.addingTimeInterval(5)
    }
  }

  package let errors = [
    ErrorRule(
      statuses: [403], path: "error_type", values: ["not_logged_in"], meaning: .error,
      note: "search another forum: this one is for its members only")
  ]

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let result = answer["grouped_search_result"]
    if answer["posts"] == nil, hasNoResult(answer.root) {
      throw .failed(Failure(.permanent, message: "the forum searches for longer words only"))
    }
    var notes = result?["error"]?.text.map { [OneLine.of($0)] } ?? []
    // Without a hit some versions omit the lists.
    let isBare = result?.kind == .object && answer["posts"] == nil
    let posts = isBare ? nil : try answer.list("posts", of: "posts")
    var topics: [String: JSONNode] = [:]
    for topic in answer.root.list("topics") {
      if let id = topic["id"]?.identifier { topics[id] = topic }
    }
    var builder = PageBuilder(of: name, on: page)
    for item in NodeList(posts) { builder.add { post(item, topics: topics, for: page, in: &$0) } }
    if builder.items == 0, let error = result?["error"]?.text {
      // An overloaded forum answers so, with status 200. What is wrong with a query has a status of its own.
      throw .stated(error, in: answer.response, to: page, kind: .temporary)
    }
    if builder.items > 0 { notes.append(Self.onePerTopic) }
    let hasMore = result?["more_full_page_results"]?.isFilled == true
    return builder.page(
      hasMore ? numbered(page).next(upTo: Self.lastPage, beyond: Self.ceiling) : .end,
      notes: notes)
  }

  /// True if the result is null: the search was not made.
  private func hasNoResult(_ root: JSONNode) -> Bool {
    for (key, value) in root.members {
      if case "grouped_search_result" = MemberKey(key) { return value.kind == .null }
    }
    return false
  }

  /// The text of an excerpt. Some forums mark what was found in it.
  private static func plain(_ excerpt: String) -> String {
    let mark = "<span class=\"search-highlight\">"
    guard excerpt.contains(mark) else { return Entities.decode(excerpt) }
    return Entities.decode(excerpt.replacing(mark, with: "").replacing("</span>", with: ""))
  }

  private func post(
    _ item: JSONNode, topics: [String: JSONNode], for page: PageRequest, in draft: inout PageDraft
  ) -> PackedPost? {
    guard item.kind == .object, let id = item["id"]?.identifier,
      let topicID = item["topic_id"]?.identifier
    else { return nil }
    let topic = topics[topicID]
    let title =
      topic?["title"]?.text ?? item["topic_title_headline"]?.text.map { HTMLText.read($0).text }
    let text = item["blurb"]?.string.map(Self.plain)
    guard text != nil || title != nil else { return nil }
    let number = item["post_number"]?.count ?? 1
    let address = "\(page.server.text)/t/-/\(PathPart.of(topicID))"
    let handle = item["username"]?.text ?? ""
    let own = "\(address)/\(number)"
    let links = AddressList(urlsIn: text ?? "", except: own, isExcerpt: true)
    return PackedPost(
      id: id, url: own, uri: own,
      author: Author(
        handle: handle, name: item["name"]?.text,
        url: handle.isEmpty ? nil : "\(page.server.text)/u/\(PathPart.of(handle))"),
      title: title, text: text ?? "", createdAt: item["created_at"]?.rfc3339(),
      // Later versions write an object for each tag.
      topics: topic?.list("tags").compactMap { $0.text ?? $0["name"]?.text } ?? [],
      links: links.all, counts: Counts(likes: item["like_count"]?.count),
      replyTo: number > 1 ? address : nil, in: &draft)
  }
}
