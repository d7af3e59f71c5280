internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// A post as rows stored it before version 6 of the schema: JSON with short keys.
enum JSONPostBody {
  /// Reads a stored post; nil when the row is not what searchagg wrote.
  static func post(
    from body: ArraySlice<UInt8>, source: SourceName, server: ServerAddress, createdAt: Date?
  ) -> Post? {
    var bytes = Array(body)
    let count = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: JSON.spareBytes))
    return bytes.withUnsafeBytes { buffer in
      try? JSON.read(padded: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { root in
        guard let uri = root["r"]?.string else { return nil }
        var draft = PageDraft(source: source, server: server)
        let post = PackedPost(
          id: root["i"]?.string ?? "",
          url: root["u"].map { $0.isString("") ? nil : $0.string } ?? uri, uri: uri,
          author: root["w"].map(author) ?? Author(), title: root["t"]?.string,
          text: root["x"]?.string ?? "", createdAt: createdAt,
          editedAt: root["e"]?.integer.map { Milliseconds(count: $0).date },
          language: root["l"]?.string, links: root["k"]?.texts ?? [],
          attachments: (root["m"]?.texts ?? []).map { PostAttachment($0) },
          counts: Counts(
            likes: root["cl"]?.integer.map(Int.init), reposts: root["cr"]?.integer.map(Int.init),
            replies: root["ca"]?.integer.map(Int.init), views: root["cv"]?.integer.map(Int.init)),
          replyTo: root["a"]?.string, repostOf: root["o"]?.string,
          repostedBy: root["b"].map(author), isSensitive: root["s"]?.bool,
          contentWarning: root["cw"]?.string, poll: root["p"]?.texts ?? [],
          isReply: root["y"]?.bool, visibility: root["v"]?.string.map { Visibility(named: $0) },
          in: &draft)
        draft.add(post)
        return draft.posts().first
      }
    }
  }

  private static func author(_ node: JSONNode) -> Author {
    Author(handle: node["h"]?.string ?? "", name: node["n"]?.string, url: node["p"]?.string)
  }
}
