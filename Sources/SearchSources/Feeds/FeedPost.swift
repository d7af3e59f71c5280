internal import QueuedHTTP
internal import SearchModel

/// Converts the entries of a feed to posts.
enum FeedPost {
  /// Returns the post of an entry.
  ///
  /// - Parameters:
  ///   - id: The entry's identifier within the feed, as `FeedIdentities` gives it.
  ///   - firstID: The one by which it is known, where each version of an entry has its own.
  ///   - address: The address of the feed, without what may be secret in it.
  ///   - publisher: The author of entries that name nobody, by the name of the feed.
  static func post(
    _ entry: FeedEntry, id: String, firstID: String, at address: String,
    language: String?, publisher: Author, in draft: inout PageDraft
  ) -> PackedPost {
    var links = AddressList()
    for link in entry.links where link != entry.link { links.add(link) }
    return PackedPost(
      id: id, url: entry.link,
      uri: "\(address)#\(fragment(of: firstID))", author: entry.author ?? publisher,
      feed: publisher.name, title: entry.title, text: entry.text, createdAt: entry.date,
      editedAt: entry.updated,
      language: self.language(entry.language) ?? self.language(language),
      topics: entry.topics, links: links.all, attachments: entry.attachments,
      counts: Counts(replies: entry.comments),
      replyTo: entry.replyTo, in: &draft)
  }

  /// A text that may be a BCP 47 tag, by its length (RFC 5646, section 4.4.1).
  private static func language(_ text: String?) -> String? {
    text.flatMap { (2...35).contains($0.utf8.count) ? $0 : nil }
  }

  /// The identifier as a fragment of the feed's address (RFC 3986, section 3.5).
  private static func fragment(of id: String) -> String {
    let isPlain = id.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"\"#%<>[\\]^`{|}".utf8.contains(byte)
    }
    return isPlain ? id : PercentEncoding.encode(id)
  }
}
