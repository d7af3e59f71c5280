internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

extension JSONWriter {
  /// Writes a post as an object, its keys in the order of the contract.
  mutating func post(_ post: borrowing Post) {
    beginObject()
    member("id", post.id)
    member("source", post.source.rawValue)
    member("server", post.server.text)
    member("url", post.url)
    member("uri", post.uri)
    if post.author != Author() { author("author", post.author) }
    member("title", post.title)
    member("text", post.text)
    key("created_at")
    if let date = post.createdAt, RFC3339.canWrite(date) {
      string(RFC3339.format(date))
    } else {
      null()
    }
    if post.isFuture { member("future", true) }
    member("edited_at", post.editedAt)
    member("language", post.language)
    member("tags", post.tags)
    member("links", post.links)
    member("media", post.media)
    counts(post.counts)
    member("reply_to", post.replyTo)
    member("repost_of", post.repostOf)
    if let reposter = post.repostedBy { author("reposted_by", reposter) }
    if let isSensitive = post.isSensitive { member("sensitive", isSensitive) }
    member("also", post.also.map(\.address))
    endObject()
  }

  private mutating func author(_ name: String, _ author: Author) {
    key(name)
    beginObject()
    if !author.handle.isEmpty { member("handle", author.handle) }
    member("name", author.name)
    member("url", author.url)
    endObject()
  }

  private mutating func counts(_ counts: Counts) {
    guard counts != Counts() else { return }
    key("counts")
    beginObject()
    member("likes", counts.likes)
    member("reposts", counts.reposts)
    member("replies", counts.replies)
    member("views", counts.views)
    endObject()
  }
}
