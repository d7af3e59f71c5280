package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Tumblr's posts, by their tag, which may have several words: `"two words"`, or a query of words alone.
/// All else is judged here, but for tags that are left out, which stand beside the texts.
///
/// Needs `TUMBLR_API_KEY`, which it takes in the address. 1 to 20 posts a page, newest first, each page
/// the posts before a second; of a tag that Tumblr features, by when it featured them. 1000 requests an
/// hour, 5000 a day, each with headers of its own: how many are left, and the seconds until all are. https://www.tumblr.com/docs/en/api/v2#tagged--get-posts-with-tag
package struct Tumblr: Source {
  package let name: SourceName = "tumblr"
  package let traits = SourceTraits(
    defaultServer: "https://api.tumblr.com", pageSize: 1...20,
    credentialNames: ["TUMBLR_API_KEY"], needsCredentials: true,
    pace: Pace(requests: 300, per: .seconds(60)), order: .approximate, abilities: [.tags],
    attribution: "Posts belong to their authors, under Tumblr's API license agreement")

  private static let oneTagOnly = "only one tag can be searched, of one or more words"

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    let texts = query.terms.filter { $0.isSought && $0.kind != .author }
    let tags = texts.filter { $0.kind == .tag }
    let phrase = texts.first { $0.kind == .phrase }
    guard tags.count <= 1 else { return QuerySplit(query) }
    var split = QuerySplit(query, by: [.tags], canBeAuthor: canBeAuthor)
    split.remote = tags.isEmpty ? phrase.map { [$0] } ?? texts : tags
    split.local.removeAll { split.remote.contains($0) }
    split.makeUnsupported { $0.kind == .tag }
    return split
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    tag(of: split) == nil ? Self.oneTagOnly : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    guard let credentials = page.credentials else {
      throw Failure(.credential, message: "a credential is needed", advice: "set TUMBLR_API_KEY")
    }
    guard let tag = tag(of: page.split) else {
      throw Failure(.permanent, message: Self.oneTagOnly)
    }
    // One more than wanted after the first page, as the last post of the page before comes again.
    let size = page.size(within: traits.pageSize)
    let limit = page.cursor == nil ? size : min(size + 1, traits.pageSize.upperBound)
    var parameters = [("tag", tag), ("limit", String(limit))]
    if let before = page.cursor?.rawValue ?? page.until.map({ seconds(of: $0) }) {
      parameters.append(("before", before))
    }
    parameters.append(("api_key", credentials.token))
    return HTTPRequest(url: "\(page.server.text)/v2/tagged?\(PercentEncoding.query(parameters))")
  }

  package func verdict(on response: HTTPResponse, now: Date) -> Verdict {
    guard let moment = spentUntil(response.headers, now: now) else {
      return SlowDown.verdict(on: response, now: now)
    }
    return switch response.status {
    case 200: .doneThenCoolDown(until: moment)
    case 429: .coolDown(until: moment)
    case _: SlowDown.verdict(on: response, now: now)
    }
  }

  /// When a spent quota is whole again: that of the hour or that of the day, or the later where both are
  /// spent. Nil while something is left of each.
  private func spentUntil(_ headers: HTTPHeaders, now: Date) -> Date? {
    ["Perhour", "Perday"].compactMap { window -> Date? in
      guard let left = headers["X-Ratelimit-\(window)-Remaining"].flatMap(Double.init), left < 1,
        let seconds = headers["X-Ratelimit-\(window)-Reset"].flatMap(Double.init),
        (1...86_400).contains(seconds)
      else { return nil }
      return now.addingTimeInterval(seconds)
    }.max()
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if refusal.meaning == .slowDown {
        refusal.until = spentUntil(response.headers, now: page.answered) ?? refusal.until
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let posts = root["response"], posts.kind == .array else {
        let said = ErrorBody(JSON: root)
        if said.words != nil { throw Answer.error(said, response, to: page) }
        throw Answer.misshapen("no list of posts", response)
      }
      var builder = PageBuilder()
      var oldest: Int64?
      for item in posts.elements {
        builder.add(post(item, for: page))
        if let second = (item["featured_timestamp"] ?? item["timestamp"])?.integer, second > 0 {
          oldest = min(oldest ?? second, second)
        }
      }
      return builder.page(next: oldest.map { next($0, after: page.cursor) }, after: page.cursor)
    }
  }

  /// Where the next page begins: a second more brings the other posts of the last second, unless the
  /// page before was asked for just that.
  private func next(_ oldest: Int64, after cursor: Cursor?) -> Cursor {
    let next = Cursor(rawValue: String(oldest.addingReportingOverflow(1).partialValue))
    return next == cursor ? Cursor(rawValue: String(oldest)) : next
  }

  private func tag(of split: QuerySplit) -> String? {
    let query = split.query
    guard !query.isRaw else {
      return query.text.hasPrefix("#") ? String(query.text.dropFirst()) : query.text
    }
    let tag = split.remote.map(\.value).joined(separator: " ")
    return tag.contains { !$0.isASCII || $0.isLetter || $0.isNumber } ? tag : nil
  }

  private func seconds(of date: Date) -> String {
    String(Int64(date.timeIntervalSince1970.rounded(.up)))
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object,
      let id = item["id_string"]?.identifier ?? item["id"]?.identifier
    else { return nil }
    let body =
      item["body"]?.text ?? item["caption"]?.text ?? item["text"]?.text
      ?? item["description"]?.text
    let content = body.map { HTMLText.read($0) }
    // The summary alone is plain.
    let text = content?.text ?? item["summary"]?.text
    let title = item["title"]?.text
    var media = AddressList()
    for photo in item.list("photos") { media.add(photo["original_size"]?["url"]?.string) }
    media.add(item["video_url"]?.string ?? item["audio_url"]?.string)
    guard text != nil || title != nil || !media.all.isEmpty else { return nil }
    var links = AddressList()
    links.add(item["url"]?.string ?? item["link_url"]?.string)
    for link in content?.links ?? [] { links.add(link) }
    let blog = item["blog_name"]?.text ?? ""
    let account = Author(
      handle: blog, name: item["blog"]?["title"]?.text,
      url: blog.isEmpty ? nil : "https://www.tumblr.com/\(PathPart.of(blog))")
    let original = originalAuthor(of: item)
    let address = item["post_url"]?.string.flatMap { WebAddress.isOne($0) ? $0 : nil }
    let permanent = "https://www.tumblr.com/\(PathPart.of(blog))/\(PathPart.of(id))"
    return Post(
      id: id, source: name, server: page.server, url: address ?? permanent,
      // The words in an address follow the title, which may be edited.
      uri: permanent,
      author: original ?? account,
      title: title, text: text ?? "",
      createdAt: item["timestamp"]?.integer.flatMap { EpochTime.date(seconds: $0) }
        ?? item["date"]?.rfc3339(),
      links: links.all, media: media.all, counts: Counts(likes: item["note_count"]?.count),
      repostOf: item["reblogged_from_id"]?.identifier,
      repostedBy: original == nil ? nil : account)
  }

  /// Who wrote what a post passes on; nil for a post of the blog's own, and for one that adds words to
  /// what it passes on.
  private func originalAuthor(of item: JSONNode) -> Author? {
    guard item["reblogged_from_id"] != nil,
      let name = item["reblogged_root_name"]?.text ?? item["reblogged_from_name"]?.text,
      !item.list("trail").contains(where: { $0["is_current_item"]?.bool == true })
    else { return nil }
    return Author(
      handle: name, name: item["reblogged_root_title"]?.text,
      url: "https://www.tumblr.com/\(PathPart.of(name))")
  }
}
