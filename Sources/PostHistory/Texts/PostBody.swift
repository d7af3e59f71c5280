package import FoundationEssentials
package import SearchModel

/// A post as a row stores it, without what other columns hold (network, server and date): a version, then
/// fields, each a key and a value with its length. A `url` equal to the `uri` is left out, and a missing
/// one is an empty text.
///
/// Every version of searchagg must read what the first one wrote: keys may be added, never reused. Before
/// version 6 of the schema a body was JSON (`JSONPostBody`).
package enum PostBody {
  /// The first byte, which no JSON begins with.
  private static let version: UInt8 = 1

  private enum Key: UInt8 {
    case id = 1, uri, url, handle, name, profile, title, text, edited, language, link, medium
    case likes, reposts, replies, views, replyTo, repostOf
    case reposterHandle, reposterName, reposterProfile
    case isSensitive, contentWarning, pollOption, isReply, visibility
    /// `mediumDetails` belong to the medium before them.
    case topic, mediumDetails

    /// One more than the greatest key.
    static let end = Int(mediumDetails.rawValue) + 1
  }

  /// The keys of what is said about a medium, in the value of `mediumDetails`.
  private enum DetailKey: UInt8 {
    case kind = 1, type, description, thumbnail
  }

  package static func bytes(of post: Post) -> [UInt8] {
    var writer = PackedWriter(capacity: 512)
    write(post, to: &writer)
    return writer.bytes
  }

  static func write(_ post: Post, to writer: inout PackedWriter) {
    writer.append(version)
    post.read { record, texts in write(record, texts, to: &writer) }
  }

  private static func write(
    _ record: borrowing PostRecord, _ texts: PostTexts, to writer: inout PackedWriter
  ) {
    func write(always key: Key, _ text: TextRange) {
      writer.append(key.rawValue)
      writer.write(texts[text])
    }
    func write(_ key: Key, _ text: TextRange) {
      if !text.isNone { write(always: key, text) }
    }
    func write(each key: Key, _ list: TextList) {
      guard !list.isEmpty else { return }
      for text in texts[list] {
        writer.append(key.rawValue)
        writer.write(text)
      }
    }
    write(.id, record.id)
    write(.uri, record.uri)
    if !texts.isSame(record.url, as: record.uri) { write(always: .url, record.url) }
    if !record.author.handle.isEmpty { write(.handle, record.author.handle) }
    write(.name, record.author.name)
    write(.profile, record.author.url)
    write(.title, record.title)
    write(always: .text, record.text)
    Self.write(.edited, record.editedAt.map(Milliseconds.init)?.count, to: &writer)
    write(.language, record.language)
    write(each: .link, record.links)
    for attachment in record.attachments { Self.write(attachment, to: &writer) }
    Self.write(.likes, record.counts.likes.map(Int64.init), to: &writer)
    Self.write(.reposts, record.counts.reposts.map(Int64.init), to: &writer)
    Self.write(.replies, record.counts.replies.map(Int64.init), to: &writer)
    Self.write(.views, record.counts.views.map(Int64.init), to: &writer)
    write(.replyTo, record.replyTo)
    write(.repostOf, record.repostOf)
    if let reposter = record.repostedBy {
      write(always: .reposterHandle, reposter.handle)
      write(.reposterName, reposter.name)
      write(.reposterProfile, reposter.url)
    }
    Self.write(.isSensitive, record.isSensitive.map { $0 ? 1 : 0 }, to: &writer)
    write(.contentWarning, record.contentWarning)
    write(each: .pollOption, record.poll)
    if record.isReply == true, record.replyTo.isNone { Self.write(.isReply, 1, to: &writer) }
    Self.write(.visibility, record.visibility?.rawValue, to: &writer)
    write(each: .topic, record.topics)
  }

  private static func write(_ attachment: PostAttachment, to writer: inout PackedWriter) {
    write(.medium, attachment.url, to: &writer)
    var details = PackedWriter()
    let texts: [(DetailKey, String?)] = [
      (.kind, attachment.kind?.rawValue), (.type, attachment.type),
      (.description, attachment.description), (.thumbnail, attachment.thumbnail),
    ]
    for (key, text) in texts {
      guard let text else { continue }
      details.append(key.rawValue)
      details.write(text)
    }
    guard !details.isEmpty else { return }
    writer.append(Key.mediumDetails.rawValue)
    writer.write(details)
  }

  private static func write(_ key: Key, _ text: String?, to writer: inout PackedWriter) {
    guard let text else { return }
    writer.append(key.rawValue)
    writer.write(text)
  }

  private static func write(_ key: Key, _ number: Int64?, to writer: inout PackedWriter) {
    guard let number else { return }
    writer.append(key.rawValue)
    writer.writePart(signed: number)
  }

  /// Reads a stored post; nil when the row is not what searchagg writes.
  package static func post(
    from body: ArraySlice<UInt8>, source: SourceName, server: ServerAddress, createdAt: Date?
  ) -> Post? {
    guard body.first == version else {
      return JSONPostBody.post(from: body, source: source, server: server, createdAt: createdAt)
    }
    return Fields(body.dropFirst())?
      .post(source: source, server: server, createdAt: createdAt)
  }

  /// A server for posts of which it does not matter.
  static let nowhere = ServerAddress("http://localhost")

  /// The title, the text and the poll in a stored post.
  package static func text(inBody body: [UInt8]) -> String? {
    nowhere.flatMap { post(from: body[...], source: "", server: $0, createdAt: nil) }?
      .searchableText
  }

  /// The fields of a body as they are read.
  private struct Fields {
    private var texts = [String?](repeating: nil, count: Key.end)
    private var links: [String] = []
    private var topics: [String] = []
    private var attachments: [PostAttachment] = []
    private var poll: [String] = []
    private var numbers = [Int64?](repeating: nil, count: Key.end)

    /// Nil if the bytes end within a field.
    init?(_ bytes: ArraySlice<UInt8>) {
      var reader = PackedReader(bytes)
      while let byte = reader.byte() {
        guard let value = reader.part() else { return nil }
        // A later version may have written further fields.
        guard let key = Key(rawValue: byte) else { continue }
        add(value, as: key)
      }
    }

    private mutating func add(_ value: ArraySlice<UInt8>, as key: Key) {
      let text = { String(decoding: value, as: UTF8.self) }
      switch key {
      case .edited, .likes, .reposts, .replies, .views, .isSensitive, .isReply:
        var reader = PackedReader(value)
        numbers[Int(key.rawValue)] = reader.signedNumber()
      case .link: links.append(text())
      case .topic: topics.append(text())
      case .medium: attachments.append(PostAttachment(text()))
      case .mediumDetails:
        if let last = attachments.popLast() { attachments.append(detailed(last, by: value)) }
      case .pollOption: poll.append(text())
      case .id, .uri, .url, .handle, .name, .profile, .title, .text, .language, .replyTo, .repostOf,
        .reposterHandle, .reposterName, .reposterProfile, .contentWarning, .visibility:
        texts[Int(key.rawValue)] = text()
      }
    }

    private func detailed(_ attachment: PostAttachment, by details: ArraySlice<UInt8>)
      -> PostAttachment
    {
      var texts: [DetailKey: String] = [:]
      var reader = PackedReader(details)
      while let byte = reader.byte(), let text = reader.text() {
        if let key = DetailKey(rawValue: byte) { texts[key] = text }
      }
      return PostAttachment(
        attachment.url, kind: texts[.kind].flatMap(PostAttachment.Kind.init), type: texts[.type],
        description: texts[.description], thumbnail: texts[.thumbnail])
    }

    private func text(_ key: Key) -> String? { texts[Int(key.rawValue)] }

    private func number(_ key: Key) -> Int64? { numbers[Int(key.rawValue)] }

    func post(source: SourceName, server: ServerAddress, createdAt: Date?) -> Post? {
      guard let uri = text(.uri) else { return nil }
      return Post(
        id: text(.id) ?? "", source: source, server: server,
        url: text(.url).map { $0.isEmpty ? nil : $0 } ?? uri, uri: uri,
        author: Author(
          handle: text(.handle) ?? "", name: text(.name), url: text(.profile)),
        title: text(.title), text: text(.text) ?? "", createdAt: createdAt,
        editedAt: number(.edited).map { Milliseconds(count: $0).date },
        language: text(.language), topics: topics, links: links, attachments: attachments,
        counts: Counts(
          likes: number(.likes).map(Int.init), reposts: number(.reposts).map(Int.init),
          replies: number(.replies).map(Int.init), views: number(.views).map(Int.init)),
        replyTo: text(.replyTo), repostOf: text(.repostOf),
        repostedBy: text(.reposterHandle).map { handle in
          Author(
            handle: handle, name: text(.reposterName), url: text(.reposterProfile))
        }, isSensitive: number(.isSensitive).map { $0 != 0 },
        contentWarning: text(.contentWarning), poll: poll,
        isReply: number(.isReply).map { $0 != 0 },
        visibility: text(.visibility).map { Visibility(named: $0) })
    }
  }
}
