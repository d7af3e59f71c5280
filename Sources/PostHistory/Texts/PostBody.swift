internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// A post as a row stores it: JSON with short keys, without what other columns hold (network, server
/// and date). A `url` equal to the `uri` is left out, and a missing one is an empty text.
///
/// Every version of searchagg must read what the first one wrote: keys may be added, never reused.
enum PostBody {
  static func text(of post: Post) -> String {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.key("i")
    writer.string(post.id)
    writer.key("r")
    writer.string(post.uri)
    if post.url != post.uri { write("u", post.url ?? "", to: &writer) }
    if post.author != Author() { write("w", post.author, to: &writer) }
    write("t", post.title, to: &writer)
    writer.key("x")
    writer.string(post.text)
    write("e", post.editedAt.map(Milliseconds.init)?.count, to: &writer)
    write("l", post.language, to: &writer)
    write("k", post.links, to: &writer)
    write("m", post.media, to: &writer)
    write("cl", post.counts.likes.map(Int64.init), to: &writer)
    write("cr", post.counts.reposts.map(Int64.init), to: &writer)
    write("ca", post.counts.replies.map(Int64.init), to: &writer)
    write("cv", post.counts.views.map(Int64.init), to: &writer)
    write("a", post.replyTo, to: &writer)
    write("o", post.repostOf, to: &writer)
    if let reposter = post.repostedBy { write("b", reposter, to: &writer) }
    if let isSensitive = post.isSensitive {
      writer.key("s")
      writer.bool(isSensitive)
    }
    write("cw", post.contentWarning, to: &writer)
    write("p", post.poll, to: &writer)
    write("v", post.visibility?.rawValue, to: &writer)
    if post.isReply, post.replyTo == nil {
      writer.key("y")
      writer.bool(true)
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads a stored post; nil when the row is not what `text(of:)` writes.
  static func post(
    from text: String, source: SourceName, server: ServerAddress, createdAt: Date?
  ) -> Post? {
    var bytes = Array(text.utf8)
    let count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: JSON.spareBytes))
    return bytes.withUnsafeBytes { buffer in
      try? JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { root in
        guard let uri = root["r"]?.string else { return nil }
        return Post(
          id: root["i"]?.string ?? "", source: source, server: server,
          url: root["u"].map { $0.isString("") ? nil : $0.string } ?? uri, uri: uri,
          author: root["w"].map(author) ?? Author(), title: root["t"]?.string,
          text: root["x"]?.string ?? "", createdAt: createdAt,
          editedAt: root["e"]?.integer.map { Milliseconds(count: $0).date },
          language: root["l"]?.string, links: texts(root["k"]), media: texts(root["m"]),
          counts: Counts(
            likes: root["cl"]?.integer.map(Int.init), reposts: root["cr"]?.integer.map(Int.init),
            replies: root["ca"]?.integer.map(Int.init), views: root["cv"]?.integer.map(Int.init)),
          replyTo: root["a"]?.string, repostOf: root["o"]?.string,
          repostedBy: root["b"].map(author), isSensitive: root["s"]?.bool,
          contentWarning: root["cw"]?.string, poll: texts(root["p"]),
          isReply: root["y"]?.bool, visibility: root["v"]?.string.map { Visibility(named: $0) })
      }
    }
  }

  /// The title, the text and the poll in a stored post.
  static func text(inBody body: String) -> String? {
    let nowhere = ServerAddress("http://localhost")
    return nowhere.flatMap { post(from: body, source: "", server: $0, createdAt: nil) }?
      .searchableText
  }

  private static func author(_ node: JSONNode) -> Author {
    Author(handle: node["h"]?.string ?? "", name: node["n"]?.string, url: node["p"]?.string)
  }

  private static func texts(_ node: JSONNode?) -> [String] {
    var texts: [String] = []
    if let node { for element in node.elements { texts.append(element.string ?? "") } }
    return texts
  }

  private static func write(_ key: String, _ text: String?, to writer: inout JSONWriter) {
    guard let text else { return }
    writer.key(key)
    writer.string(text)
  }

  private static func write(_ key: String, _ number: Int64?, to writer: inout JSONWriter) {
    guard let number else { return }
    writer.key(key)
    writer.integer(number)
  }

  private static func write(_ key: String, _ texts: [String], to writer: inout JSONWriter) {
    guard !texts.isEmpty else { return }
    writer.key(key)
    writer.beginArray()
    for text in texts { writer.string(text) }
    writer.endArray()
  }

  private static func write(_ key: String, _ author: Author, to writer: inout JSONWriter) {
    writer.key(key)
    writer.beginObject()
    write("h", author.handle.isEmpty ? nil : author.handle, to: &writer)
    write("n", author.name, to: &writer)
    write("p", author.url, to: &writer)
    writer.endObject()
  }
}
