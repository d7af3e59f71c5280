internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints the posts as a JSON Feed (version 1.1, jsonfeed.org); outcomes and what it has no place for are
/// in objects named `_searchagg`.
package struct JSONFeedPrinter: PostPrinter {
  /// The fields that JSON Feed has no place for.
  private static let extensions = FieldSelection(
    PostField.printed.filter { field in
      ![.url, .title, .text, .createdAt, .editedAt, .language, .tags].contains(field)
    })

  package init() {}

  package func beginning(of result: RunResult) -> [UInt8] {
    let identity = FeedIdentity(result)
    var json = JSONWriter(capacity: 256 + result.outcomes.count * 120)
    json.beginObject()
    json.member("version", "https://jsonfeed.org/version/1.1")
    json.member("title", identity.title)
    json.member("description", result.missingLine)
    json.key("_searchagg")
    json.beginObject()
    json.member("about", "https://github.com/searchagg/searchagg")
    json.member("id", identity.feed)
    json.member("updated", identity.updated)
    json.closingMembers(of: result)
    json.endObject()
    json.key("items")
    json.beginArray()
    return json.bytes
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(posts.count * 1000)
    for index in posts.indices {
      bytes.append(index > posts.startIndex || previous != nil ? ",\n" : "\n")
      bytes.append(contentsOf: item(posts[index]))
    }
    return bytes
  }

  package func ending(of result: RunResult) -> [UInt8] { Array("\n]}\n".utf8) }

  private func item(_ post: borrowing Post) -> [UInt8] {
    var json = JSONWriter(capacity: 1000)
    json.beginObject()
    json.member("id", FeedIdentity.entry(of: post))
    if let url = post.url, Markup.isSafeAddress(url) { json.member("url", url) }
    json.member("title", post.title)
    json.member("content_text", post.text)
    json.member("date_published", post.createdAt)
    json.member("date_modified", post.editedAt)
    if post.author != Author() {
      json.key("authors")
      json.beginArray()
      json.beginObject()
      json.member("name", post.author.name ?? post.author.handle)
      json.member("url", post.author.url)
      json.endObject()
      json.endArray()
    }
    json.member("tags", post.tagsAndTopics)
    json.member("language", post.language)
    appendAttachments(of: post, to: &json)
    json.key("_searchagg")
    post.readValues { json.post($0, Self.extensions) }
    json.endObject()
    return json.bytes
  }

  /// An attachment must have a type there.
  private func appendAttachments(of post: borrowing Post, to json: inout JSONWriter) {
    let attachments = post.attachments.filter { $0.type != nil && Markup.isSafeAddress($0.url) }
    guard !attachments.isEmpty else { return }
    json.key("attachments")
    json.beginArray()
    for attachment in attachments {
      json.beginObject()
      json.member("url", attachment.url)
      json.member("mime_type", attachment.type)
      json.member("title", attachment.description)
      json.endObject()
    }
    json.endArray()
  }
}
