package import FoundationEssentials
package import SearchModel

extension Post {
  /// A post on a page of its own.
  package init(
    id: String, source: SourceName, server: ServerAddress, url: String? = nil, uri: String,
    author: Author = Author(), feed: String? = nil, title: String? = nil, text: String,
    createdAt: Date? = nil, editedAt: Date? = nil, language: String? = nil,
    furtherLanguages: [String] = [], topics: [String] = [], links: [String] = [],
    attachments: [PostAttachment] = [], counts: Counts = Counts(), replyTo: String? = nil,
    repostOf: String? = nil, repostedBy: Author? = nil, isSensitive: Bool? = nil,
    contentWarning: String? = nil, poll: [String] = [], isReply: Bool? = nil,
    isPinned: Bool = false, visibility: Visibility? = nil, firstID: String? = nil
  ) {
    var page = PageDraft(source: source, server: server)
    page.add(
      PackedPost(
        id: id, url: url, uri: uri, author: author, feed: feed, title: title, text: text,
        createdAt: createdAt, editedAt: editedAt, language: language,
        furtherLanguages: furtherLanguages, topics: topics, links: links,
        attachments: attachments, counts: counts, replyTo: replyTo, repostOf: repostOf,
        repostedBy: repostedBy, isSensitive: isSensitive, contentWarning: contentWarning,
        poll: poll, isReply: isReply, isPinned: isPinned, visibility: visibility,
        firstID: firstID, in: &page))
    self = page.posts()[0]
  }
}
