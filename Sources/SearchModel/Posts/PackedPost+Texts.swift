package import FoundationEssentials

extension PackedPost {
  /// Creates a post whose texts the draft of its page keeps.
  package init(
    id: String, url: String? = nil, uri: String, author: Author = Author(), feed: String? = nil,
    title: String? = nil, text: String, createdAt: Date? = nil, editedAt: Date? = nil,
    language: String? = nil, furtherLanguages: [String] = [], topics: [String] = [],
    links: [String] = [], attachments: [PostAttachment] = [], counts: Counts = Counts(),
    replyTo: String? = nil, repostOf: String? = nil, repostedBy: Author? = nil,
    isSensitive: Bool? = nil, contentWarning: String? = nil, poll: [String] = [],
    isReply: Bool? = nil, isPinned: Bool = false, visibility: Visibility? = nil,
    firstID: String? = nil, in draft: inout PageDraft
  ) {
    self.init(id: draft.keep(id), uri: draft.keep(uri))
    record.url = draft.keep(url)
    record.author = draft.keep(author)
    record.title = draft.keep(title)
    record.text = draft.keep(text)
    record.created = PackedDate(createdAt)
    record.language = draft.keep(language)
    record.topics = draft.list(topics: topics)
    record.links = draft.list(links)
    record.attachments = draft.list(attachments)
    record.counts = counts
    record.replyTo = draft.keep(replyTo)
    record.isSensitive = isSensitive
    record.isReply = isReply
    record.isMarkedAsPinned = isPinned
    record.visibility = visibility
    rare.feed = draft.keep(feed)
    rare.edited = PackedDate(editedAt)
    rare.furtherLanguages = draft.list(furtherLanguages)
    rare.repostOf = draft.keep(repostOf)
    self.repostedBy = repostedBy.map { draft.keep($0) }
    rare.contentWarning = draft.keep(contentWarning)
    rare.poll = draft.list(lines: poll)
    rare.firstID = draft.keep(firstID)
  }
}
