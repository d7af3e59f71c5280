internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Misskey and its forks, through the search for hashtags or, with `MISSKEY_TOKEN`, for words.
///
/// Anyone can search for a hashtag; without a token, a single word is searched for as one. Other words
/// need the token and a server with its word search enabled: many have disabled it, and return
/// `UNAVAILABLE`. Several hashtags fit in one request. The word search finds a text even inside longer
/// words: the longest word is sent. Other terms are filtered here. 1 to 100 notes a page, newest first,
/// continued from the last id until a page is empty. `sinceDate` and `untilDate` apply to the first
/// page; later ones are older anyway. Every request is a POST, with the token in its body.
/// https://misskey-hub.net/docs/for-developers/api/
package struct Misskey: JSONSource {
  package let name: SourceName = "misskey"
  package let traits = SourceTraits(
    defaultServer: "https://misskey.io", pageSize: 1...100, credentialNames: ["MISSKEY_TOKEN"],
    // Ids follow the moment when the server received a note.
    order: .approximate, abilities: [.words, .tags], lateness: SourceTraits.longLateness,
    attribution: "Notes belong to their authors, under the rules of their servers")

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    guard credentials == nil else { return nil }
    let tags = tags(of: split, with: nil)
    guard !tags.isEmpty else {
      return "only hashtags and single words can be searched without MISSKEY_TOKEN"
    }
    return tags.allSatisfy(isTag)
      ? nil : "no hashtag has punctuation; other words cannot be searched without MISSKEY_TOKEN"
  }

  /// Returns whether notes can have a hashtag: these signs end it.
  private func isTag(_ name: String) -> Bool {
    !name.contains { ".,!?'\"#:/[]()<>%\\".contains($0) }
  }

  package func canBeAuthor(_ name: String) -> Bool { true }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    let hasTags = query.terms.contains { $0.kind == .tag && !$0.isExcluded }
    if !hasTags, credentials == nil {
      return QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor)
    }
    return hasTags
      ? QuerySplit(query, by: [.tags], canBeAuthor: canBeAuthor)
      : QuerySplit(longestWordOf: query, hasTags: true, canBeAuthor: canBeAuthor)
  }

  /// The hashtags to search for; none in a search for words.
  private func tags(of split: QuerySplit, with credentials: Credentials?) -> [String] {
    guard !split.query.isRaw else {
      let isTag = split.query.text.hasPrefix("#") || credentials == nil
      return isTag ? [split.rawTag].compactMap(\.self) : []
    }
    let tags = split.remote.filter { $0.kind == .tag }
    // Without a token, a single word is one, too.
    return (tags.isEmpty && credentials == nil ? split.remote : tags).map(\.value)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let tags = tags(of: page.split, with: page.credentials)
    var fields: [JSONMember] = []
    var path = "/api/notes/search"
    if let tag = tags.first {
      path = "/api/notes/search-by-tag"
      fields.append(
        tags.count == 1
          ? JSONMember("tag", .string(tag))
          : JSONMember("query", .array([.array(tags.map { .string($0) })])))
    } else if let reason = unsupportedReason(for: page.split, with: page.credentials) {
      throw Failure(.credential, message: reason, advice: "set MISSKEY_TOKEN")
    } else {
      fields.append(JSONMember("query", .string(SearchLanguage.wordsOnly.text(of: page.split))))
    }
    fields.append(JSONMember("limit", .integer(page.size(within: traits.pageSize))))
    if let cursor = page.cursor {
      fields.append(JSONMember("untilId", .string(cursor.rawValue)))
    } else {
      fields += dates(of: page)
    }
    if let credentials = page.credentials {
      fields.append(JSONMember("i", .string(credentials.token)))
    }
    return HTTPRequest(
      .post, url: page.server.text + path, headers: ["Content-Type": "application/json"],
      body: JSONValue.object(fields).bytes)
  }

  /// The range of dates in milliseconds; both ends are exclusive there.
  private func dates(of page: PageRequest) -> [JSONMember] {
    guard page.since != nil || page.until != nil else { return [] }
    var fields: [JSONMember] = []
    if let since = page.since, let date = milliseconds(of: since, .down) {
      fields.append(JSONMember("sinceDate", .integer(date - 1)))
    }
    // Without an end, the oldest notes would come first.
    let until = page.until ?? page.now.addingTimeInterval(86_400)
    if let date = milliseconds(of: until, .up) {
      fields.append(JSONMember("untilDate", .integer(date)))
    }
    return fields
  }

  private func milliseconds(of date: Date, _ rule: FloatingPointRoundingRule) -> Int? {
    Int(exactly: (date.timeIntervalSince1970 * 1000).rounded(rule))
  }

  package let errors = [
    ErrorRule(
      path: "error.code", values: ["UNAVAILABLE"], meaning: .error,
      note: "search for a hashtag: this server has no word search"),
    ErrorRule(
      path: "error.code",
      values: ["CREDENTIAL_REQUIRED", "AUTHENTICATION_FAILED", "PERMISSION_DENIED"],
      meaning: .credential),
    ErrorRule(path: "error.code", values: ["RATE_LIMIT_EXCEEDED"], meaning: .later),
  ]

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    guard case .slowDown = refusal.meaning, refusal.until == nil else { return }
    refusal.until = Answer.value(in: response) {
      limitEnd($0["error"]?["info"], now: page.answered)
    }
  }

  /// The end of the limit that an error describes as its limiter does: in epoch time, or as a wait in some forks.
  /// https://github.com/misskey-dev/misskey/blob/develop/packages/backend/src/server/api/RateLimiterService.ts
  private func limitEnd(_ info: JSONNode?, now: Date) -> Date? {
    let milliseconds = info?["resetMs"]?.double.map { $0 / 1000 }
    let seconds = milliseconds ?? info?["reset"]?.double ?? info?["resetSec"]?.double
    return seconds.flatMap { seconds in
      let end = Date(timeIntervalSince1970: seconds)
      let wait = seconds < 1e9 ? seconds : end.timeIntervalSince(now)
      return (0...86_400).contains(wait) ? now.addingTimeInterval(wait) : nil
    }
  }

  /// True if a note has no text, and had nothing but files, which are gone, or that its server could not take over.
  private func isEmpty(_ note: JSONNode) -> Bool {
    note["text"] == nil && note["user"] != nil && !hasContent(note) && note["renote"] == nil
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder(of: name, on: page)
    var last: String?
    var hidden = 0
    for item in try answer.list(of: "notes").elements {
      if isHidden(item), page.credentials == nil {
        hidden += 1
      } else if isHidden(item) || isOfDeletedNote(item) || isEmpty(item)
        || !hasContent(item) && item["renote"].map(isEmpty) == true
      {
        builder.passOver()
      } else {
        builder.add { post(item, for: page, in: &$0) }
      }
      last = item["id"]?.identifier ?? last
    }
    let isFull = builder.items >= page.size(within: traits.pageSize)
    // https://github.com/misskey-dev/misskey/issues/10776
    let notes =
      isFull && tags(of: page.split, with: page.credentials).isEmpty ? [Self.rankNote] : []
    var result = builder.page(last.map { .at(Cursor(rawValue: $0)) } ?? .end, notes: notes)
    result.hiddenFromStrangers = hidden
    return result
  }

  private static let rankNote =
    "servers with Meilisearch rank results, so newer notes may be missing"

  /// True if an item is, or repeats, a note without its content: authors can ask for that where readers are not
  /// signed in, and some notes are for followers only.
  private func isHidden(_ item: JSONNode) -> Bool {
    item["isHidden"]?.bool == true
      || (!hasContent(item) && item["renote"]?["isHidden"]?.bool == true)
  }

  /// True if a note says something itself, beside a note that it repeats or quotes.
  private func hasContent(_ item: JSONNode) -> Bool {
    item["text"]?.text != nil || item["cw"]?.text != nil || item["poll"] != nil
      || item.list("files").first != nil
  }

  /// True if an item only repeats a note that is gone.
  private func isOfDeletedNote(_ item: JSONNode) -> Bool {
    item["renoteId"]?.identifier != nil && item["renote"] == nil && !hasContent(item)
  }

  private func post(_ item: JSONNode, for page: PageRequest, in draft: inout PageDraft)
    -> PackedPost?
  {
    guard item.kind == .object, let id = item["id"]?.identifier else { return nil }
    let renote = item["renote"]
    // A renote without content repeats another note; with content it is a quote.
    let isPassedOn = renote != nil && !hasContent(item)
    let shown = isPassedOn ? renote ?? item : item
    var media = AttachmentList()
    var isSensitive = shown["cw"]?.string != nil
    for file in shown.list("files") {
      media.add(
        file["url"]?.string, type: file["type"]?.string, description: file["comment"]?.string,
        thumbnail: file["thumbnailUrl"]?.string)
      if file["isSensitive"]?.bool == true { isSensitive = true }
    }
    let parts = [shown["cw"]?.string ?? "", shown["text"]?.string ?? ""].filter { !$0.isEmpty }
    let poll = shown["poll"]?.texts("text", in: "choices") ?? []
    guard !parts.isEmpty || !media.isEmpty || !poll.isEmpty else { return nil }
    // A server's own notes have no address in its responses.
    let local = "\(page.server.text)/notes/\(PathPart.of(id))"
    let uri = item["uri"]?.address ?? local
    let address = item["url"]?.address ?? uri
    let text = parts.joined(separator: "\n\n")
    let links = AddressList(urlsIn: text, except: address)
    let sender = author(item["user"], of: page.server)
    return PackedPost(
      id: id, url: address, uri: uri,
      author: isPassedOn ? author(shown["user"], of: page.server) : sender,
      text: text,
      createdAt: item["createdAt"]?.rfc3339(), editedAt: item["updatedAt"]?.rfc3339(),
      topics: shown.list("tags").compactMap(\.text), links: links.all, attachments: media.all,
      counts: Counts(
        likes: reactions(to: shown), reposts: shown["renoteCount"]?.count,
        replies: shown["repliesCount"]?.count),
      replyTo: item["replyId"]?.identifier,
      repostOf: isPassedOn ? shown["uri"]?.address ?? shown["id"]?.identifier : nil,
      repostedBy: isPassedOn ? sender : nil, isSensitive: isSensitive,
      contentWarning: shown["cw"]?.string,
      poll: poll,
      visibility: .narrower(item["visibility"]?.visibility, shown["visibility"]?.visibility),
      in: &draft)
  }

  /// The number of reactions of any kind.
  private func reactions(to note: JSONNode) -> Int? {
    if let count = note["reactionCount"]?.count { return count }
    guard let reactions = note["reactions"], reactions.kind == .object else { return nil }
    var sum = 0
    for (_, value) in reactions.members {
      sum = sum.addingReportingOverflow(value.count ?? 0).partialValue
    }
    return sum
  }

  private func author(_ user: JSONNode?, of server: ServerAddress) -> Author {
    guard let user, let handle = user["username"]?.text else { return Author() }
    let host = user["host"]?.text
    let local = "\(server.text)/@\(PathPart.of(handle))"
    return Author(
      handle: "\(handle)@\(host ?? server.authority)", name: user["name"]?.text,
      url: host.map { "\(local)@\(PathPart.of($0))" } ?? local)
  }

}
