internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Makes posts of the entries of a feed.
enum FeedPost {
  /// Returns the post that an entry is.
  ///
  /// Its identity is its own identifier in this feed, else its page, else what it says and when.
  static func post(
    _ entry: FeedEntry, from source: SourceName, for page: PageRequest, language: String?
  ) -> Post {
    let id =
      [entry.id, entry.link].lazy.compactMap(\.self).first { !$0.isEmpty } ?? digest(of: entry)
    var links = AddressList()
    for link in entry.links where link != entry.link { links.add(link) }
    let isEdited = entry.published != nil && entry.updated != entry.published
    return Post(
      id: id, source: source, server: page.server, url: entry.link,
      uri: "\(page.server.text)#\(fragment(of: id))", author: entry.author ?? Author(),
      title: entry.title, text: entry.text, createdAt: entry.date,
      editedAt: isEdited ? entry.updated : nil,
      language: self.language(entry.language) ?? self.language(language),
      links: links.all, media: entry.media, counts: Counts(replies: entry.comments),
      replyTo: entry.replyTo)
  }

  /// A tag of BCP 47, as far as its length says (RFC 5646, section 4.4.1).
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

  /// FNV-1a of title, date and text: the same in every run, as `Hasher` is not.
  private static func digest(of entry: FeedEntry) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let date = entry.date.map(RFC3339.format) ?? ""
    for part in [entry.title ?? "", date, entry.text] + entry.media {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
  }
}
