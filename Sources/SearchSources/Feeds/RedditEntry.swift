internal import SearchModel

/// Makes posts of the entries of Reddit's own feeds.
enum RedditEntry {
  /// Whether an entry is a group or a user, which a search finds too.
  static func isGroup(_ entry: FeedEntry) -> Bool {
    entry.id?.hasPrefix("t5_") == true || entry.id?.hasPrefix("t2_") == true
  }

  /// Returns the post that an entry is; nil when it is none.
  static func post(
    _ entry: FeedEntry, from source: SourceName, at server: ServerAddress, site: String
  ) -> Post? {
    guard let uri = entry.id, uri.hasPrefix("t3_") || uri.hasPrefix("t1_"),
      entry.title != nil || !entry.text.isEmpty
    else { return nil }
    // Behind the text stand who wrote it and the links of the entry itself.
    var text = entry.text[...]
    var hasOwnLinks = false
    if let range = text.ranges(of: "submitted by").last,
      text[range.upperBound...].contains("[comments]")
    {
      text = text[..<range.lowerBound]
      hasOwnLinks = true
    }
    var links = AddressList()
    for link in entry.links where !(hasOwnLinks && isOwn(link, of: entry, site: site)) {
      links.add(link)
    }
    return Post(
      id: String(uri.dropFirst(3)), source: source, server: server, url: entry.link, uri: uri,
      author: author(entry.authors.first, site: site), title: entry.title,
      text: String(text.trimmed), createdAt: entry.date, links: links.all, media: entry.media)
  }

  private static func isOwn(_ link: String, of entry: FeedEntry, site: String) -> Bool {
    link == entry.link || link.hasPrefix("\(site)/user/") || link.hasPrefix("\(site)/u/")
  }

  /// Names are written as `/u/amy`.
  private static func author(_ person: FeedPerson?, site: String) -> Author {
    guard let name = person?.name, name != "[deleted]" else { return Author() }
    let handle = name.hasPrefix("/u/") ? String(name.dropFirst(3)) : name
    return Author(handle: handle, url: "\(site)/user/\(PathPart.of(handle))")
  }
}
