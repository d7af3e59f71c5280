package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Tumblr's posts, through their tag, which may have several words: `"two words"`, or a query of words
/// only.
///
/// Other terms are filtered here. Needs `TUMBLR_API_KEY`, in the address. 1 to 20 posts a page, in the order of their
/// numbers: those that were dated back are among the newest. A page has the posts before a second, or for a tag that
/// Tumblr features, those featured before it. 1000 requests an hour and 5000 a day, each with headers for how many are
/// left and the seconds to the reset.
/// https://www.tumblr.com/docs/en/api/v2#tagged--get-posts-with-tag
package struct Tumblr: JSONSource {
  package let name: SourceName = "tumblr"
  package let traits = SourceTraits(
    defaultServer: "https://api.tumblr.com", pageSize: 1...20,
    credentialNames: ["TUMBLR_API_KEY"], needsCredentials: true,
    pace: Pace(requests: 300, per: .seconds(60)), order: .approximate, abilities: [.tags],
    attribution: "Posts belong to their authors, under Tumblr's API license agreement")

  private static let crowdedSecond =
    "posts of one second are missing: there are more than on a page"
  /// The newest page of a tag although the range has an end.
  private static let newest = Cursor(rawValue: "newest")
  /// The longest time from a post to the moment when Tumblr featured it that is allowed for, in seconds.
  private static let longestDelay: TimeInterval = 31 * 86_400
  private static let lateFeatures =
    "posts that Tumblr featured more than a month after they were written may be missing"
  /// The seconds since 1970 that can be those of a post.
  private static let datable: ClosedRange<Int64> = 1...253_402_300_799
  private static let oneTagOnly = "only one tag can be searched, of one or more words"

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    let texts = query.terms.filter(\.isSoughtText)
    let tags = texts.filter { $0.kind == .tag }
    let phrase = texts.first { $0.kind == .phrase }
    guard tags.count <= 1 else { return QuerySplit(query) }
    var split = QuerySplit(query, by: [.tags], canBeAuthor: canBeAuthor)
    split.remote = tags.isEmpty ? phrase.map { [$0] } ?? texts : tags
    split.local.removeAll { split.remote.contains($0) }
    return split
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    tag(of: split) == nil ? Self.oneTagOnly : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let credentials = try requiredCredentials(of: page)
    guard let tag = tag(of: page.split) else {
      throw Failure(.permanent, message: Self.oneTagOnly)
    }
    let place = page.cursor.flatMap(Place.init)
    let offset = place?.offset ?? 0
    let end = page.cursor == Self.newest ? nil : page.until(.epochSeconds)
    return page.request(
      "/v2/tagged",
      [
        "tag": tag, "limit": String(limit(of: page)),
        "before": place.map { String($0.before) } ?? end,
        "offset": offset > 0 ? String(offset) : nil, "api_key": credentials.token,
      ])
  }

  /// The number of posts to request: one more after the first page, as the last post of the previous page is
  /// repeated.
  private func limit(of page: PageRequest) -> Int {
    let (size, most) = (page.size(within: traits.pageSize), traits.pageSize.upperBound)
    guard let cursor = page.cursor else { return size }
    // Tumblr documents no offset for tags: where it is ignored, only a full page shows what follows the posts to skip.
    if let place = Place(cursor), place.offset > 0 { return most }
    return min(size + 1, most)
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    if case .slowDown = refusal.meaning {
      refusal.until = quotaReset(in: response.headers, now: page.answered) ?? refusal.until
    }
  }

  package func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    quotaReset(in: response.headers, now: now)
  }

  /// The moment at which a spent quota resets: that of the hour or that of the day, or the later one if both are
  /// spent. Nil while something is left of each.
  private func quotaReset(in headers: HTTPHeaders, now: Date) -> Date? {
    ["Perhour", "Perday"].compactMap { window -> Date? in
      guard let left = headers["X-Ratelimit-\(window)-Remaining"].flatMap(Double.init), left < 1,
        let seconds = headers["X-Ratelimit-\(window)-Reset"].flatMap(Double.init),
        (1...86_400).contains(seconds)
      else { return nil }
      return now.addingTimeInterval(seconds)
    }.max()
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder(of: name, on: page)
    var seconds: [Int64] = []
    var last: String?
    var isFeatured = false
    for item in try answer.list("response", of: "posts").elements {
      builder.add { post(item, in: &$0) }
      let featured = item["featured_timestamp"]
      if featured?.integer != nil { isFeatured = true }
      if let second = (featured ?? item["timestamp"])?.integer, Self.datable.contains(second) {
        seconds.append(second)
      }
      last = item["id_string"]?.identifier ?? item["id"]?.identifier ?? last
    }
    if builder.items == 0, let meta = answer["meta"], meta["status"]?.count ?? 0 >= 400 {
      throw .stated(meta["msg"]?.text, in: answer.response, to: page)
    }
    let later = laterPage(than: page)
    if page.cursor == nil, let later, isFeatured || builder.items == 0 {
      return .redirect(to: later)
    }
    // The tag is not featured, and has nothing before the end of the range.
    if let later, page.cursor == later, !isFeatured { return Page() }
    let (next, gap) = next(after: page, seconds, last: last, items: builder.items)
    var result = builder.page(next, gap: gap)
    if isFeatured, let later, later != Self.newest { result.notes.append(Self.lateFeatures) }
    result.sortDates = seconds.compactMap { EpochTime.date(seconds: $0) }
    return result
  }

  /// The page to begin with for a range that ends, where Tumblr features a tag: its posts are asked for by when they
  /// were featured, which is after they were written. Nil for a range without an end.
  private func laterPage(than page: PageRequest) -> Cursor? {
    guard let until = page.until else { return nil }
    let end = until.addingTimeInterval(Self.longestDelay)
    guard end < page.now else { return Self.newest }
    return Place(before: Int64(end.timeIntervalSince1970)).cursor
  }

  /// The page before the last post, and why posts may be missing before that.
  private func next(
    after page: PageRequest, _ seconds: [Int64], last: String?, items: Int
  ) -> (next: NextPage, gap: String?) {
    guard let oldest = PageDepth.end(of: seconds.map(Double.init)).map(Int64.init) else {
      return (items > 0 ? .unreachable(NextPage.unusableCursor) : .end, nil)
    }
    let place = page.cursor.flatMap(Place.init)
    let next = Place(before: oldest.addingReportingOverflow(1).partialValue)
    guard let place else {
      // The page before this second would be the same one.
      let isOneSecond = items > 1 && seconds.allSatisfy { $0 == oldest }
      return (.at(isOneSecond ? next.skipping(items, last).cursor : next.cursor), nil)
    }
    guard place.before <= next.before else { return (.at(next.cursor), nil) }
    // The page ends within the second that it began with.
    guard place.last != last else {
      // It was not skipped to. Where the page has room for more, the second has no others.
      return (.at(Place(before: oldest).cursor), items < limit(of: page) ? nil : Self.crowdedSecond)
    }
    return (.at(place.skipping(items, last).cursor), nil)
  }

  /// The beginning of a page: before a second, which includes all posts of the second of the page's
  /// predecessor, after some of those.
  private struct Place {
    var before: Int64
    /// The number of posts to skip.
    var offset = 0
    /// The last of these posts, by which a server is recognized that does not skip them.
    var last: String?

    init(before: Int64, offset: Int = 0, last: String? = nil) {
      (self.before, self.offset, self.last) = (before, offset, last)
    }

    /// The place behind further posts, the last of which is named.
    func skipping(_ count: Int, _ last: String?) -> Place {
      Place(before: before, offset: offset + count, last: last)
    }

    /// Reads what `cursor` wrote.
    init?(_ cursor: Cursor) {
      let parts = cursor.rawValue.split(separator: "/", maxSplits: 2)
      guard let before = parts.first.flatMap({ Int64($0) }) else { return nil }
      self.init(before: before)
      guard parts.count == 3, let offset = Int(parts[1]), offset > 0 else { return }
      (self.offset, last) = (offset, String(parts[2]))
    }

    var cursor: Cursor {
      Cursor(rawValue: offset == 0 ? "\(before)" : "\(before)/\(offset)/\(last ?? "-")")
    }
  }

  private func tag(of split: QuerySplit) -> String? {
    let query = split.query
    guard !query.isRaw else {
      return query.text.hasPrefix("#") ? String(query.text.dropFirst()) : query.text
    }
    let tag = split.remote.map(\.value).joined(separator: " ")
    return tag.contains { !$0.isASCII || $0.isLetter || $0.isNumber } ? tag : nil
  }

  private func post(_ item: JSONNode, in draft: inout PageDraft)
    -> PackedPost?
  {
    guard item.kind == .object,
      let id = item["id_string"]?.identifier ?? item["id"]?.identifier
    else { return nil }
    let body =
      item["body"]?.text ?? item["caption"]?.text ?? item["text"]?.text
      ?? item["description"]?.text ?? answeredQuestion(item)
    let address = item["post_url"]?.address
    // The lines of a chat are plain text.
    let isChat = item["type"]?.isString("chat") == true
    let content = body.map { body in
      isChat
        ? HTMLText(text: ByteSearch.replacing("\r\n", in: body, with: "\n"))
        : HTMLText.read(body, relativeTo: address)
    }
    // Only the summary is plain text.
    let source = item["source"]?.text.map { HTMLText.read($0) }
    let own = content?.text ?? item["summary"]?.text
    let text = source.map { "\(own ?? "")\n\n\($0.text)" } ?? own
    let title =
      item["title"]?.text ?? track(item) ?? (text == nil ? item["source_title"]?.text : nil)
    var media = AttachmentList()
    for photo in item.list("photos") {
      media.add(
        (photo["original_size"] ?? photo.list("alt_sizes").first)?["url"]?.string, .image,
        description: photo["caption"]?.text.map { HTMLText.read($0).text })
    }
    // A video of another site has only the address of its page.
    if let video = item["video_url"]?.string ?? item["permalink_url"]?.string {
      media.add(video, .video, thumbnail: item["thumbnail_url"]?.string)
    } else {
      media.add(item["audio_url"]?.string, .audio, thumbnail: item["album_art"]?.string)
    }
    let moment =
      item["timestamp"]?.integer.flatMap { EpochTime.date(seconds: $0) } ?? item["date"]?.rfc3339()
    // A post may have nothing but its tags, or a player.
    guard text != nil || title != nil || !media.isEmpty || address != nil && moment != nil else {
      return nil
    }
    var links = AddressList()
    links.add(item["url"]?.string ?? item["link_url"]?.string)
    links.add(content?.links ?? [])
    links.add(source?.links ?? [])
    if item["type"]?.isString("audio") == true || item["type"]?.isString("video") == true {
      links.add(item["source_url"]?.string)
    }
    let blog = item["blog_name"]?.text ?? ""
    let account = Author(
      handle: blog, name: item["blog"]?["title"]?.text,
      url: blog.isEmpty ? nil : "https://www.tumblr.com/\(PathPart.of(blog))")
    let hasComment = item.list("trail").contains { $0["is_current_item"]?.bool == true }
    let original = hasComment ? nil : originalAuthor(of: item)
    let permanent = "https://www.tumblr.com/\(PathPart.of(blog))/\(PathPart.of(id))"
    return PackedPost(
      id: id, url: address ?? permanent,
      // The address contains the words of the title, which may be edited.
      uri: permanent,
      author: original ?? account,
      title: title, text: text ?? "",
      createdAt: moment,
      topics: item.list("tags").compactMap(\.text), links: links.all, attachments: media.all,
      counts: Counts(likes: item["note_count"]?.count),
      repostOf: hasComment ? nil : item["reblogged_from_id"]?.identifier,
      repostedBy: original == nil ? nil : account, in: &draft)
  }

  /// The artist and the name of a piece of music; nil for other posts.
  private func track(_ item: JSONNode) -> String? {
    let names = [item["artist"]?.text, item["track_name"]?.text ?? item["album"]?.text]
    let title = names.compactMap(\.self).joined(separator: " – ")
    return title.isEmpty ? nil : title
  }

  /// The question that a post answers, and the answer; nil for other posts.
  private func answeredQuestion(_ item: JSONNode) -> String? {
    guard let answer = item["answer"]?.text else { return nil }
    return item["question"]?.text.map { "<p>\($0)</p>\(answer)" } ?? answer
  }

  /// The author of a reblogged post; nil for the blog's own post.
  private func originalAuthor(of item: JSONNode) -> Author? {
    guard item["reblogged_from_id"] != nil,
      let name = item["reblogged_root_name"]?.text ?? item["reblogged_from_name"]?.text
    else { return nil }
    return Author(
      handle: name, name: item["reblogged_root_title"]?.text,
      url: "https://www.tumblr.com/\(PathPart.of(name))")
  }
}
