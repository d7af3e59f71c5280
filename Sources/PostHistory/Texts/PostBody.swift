package import FoundationEssentials
package import SearchModel
internal import TextFormats

/// A post as a row stores it, without what other columns hold (network, server and date): a version, then
/// fields, each a key and a value with its length. A `url` equal to the `uri` is left out, and a missing
/// one is an empty text.
///
/// Every version of searchagg must read what the first one wrote: keys, which `PostField.table` declares,
/// may be added, never reused. Before version 6 of the schema a body was JSON (`JSONPostBody`).
package enum PostBody {
  /// The first byte, which no JSON begins with.
  private static let version: UInt8 = 1

  /// A field that a body holds.
  private struct Entry {
    let key: UInt8
    let field: PostField
    let place: PostPlace
    let omission: Omission?

    init(_ key: UInt8, _ field: PostField, _ place: PostPlace) {
      (self.key, self.field, self.place) = (key, field, place)
      omission =
        switch field {
        case .url: .sameAsIdentity
        case .isReply: .no
        default: nil
        }
    }
  }

  /// The value of a field that nobody needs to know.
  private enum Omission { case sameAsIdentity, no }

  /// The fields that a body holds, in the order of their keys, in which they are written.
  private static let fields: [Entry] = PostField.table
    .compactMap { entry in entry.historyKey.map { Entry($0, entry.field, entry.place) } }
    .sorted { $0.key < $1.key }

  /// Those that a post without rare fields may have.
  private static let usualFields = fields.filter { !$0.place.isRare }

  /// The fields by their keys.
  private static let fieldsByKey: [PostField?] = {
    var all = [PostField?](repeating: nil, count: 256)
    for entry in fields { all[Int(entry.key)] = entry.field }
    return all
  }()

  private static let uri: PostSlot<TextRange>? =
    if case .text(let slot) = PostField.uri.place { slot } else { nil }

  /// The key of the details of the attachment before them.
  private static let detailsKey: UInt8 = 28

  /// The keys of a medium's details, in the value of `mediumDetails`.
  private enum DetailKey: UInt8 {
    case kind = 1, type, description, thumbnail
  }

  package static func bytes(of post: Post) -> [UInt8] {
    var writer = PackedWriter(capacity: 512)
    post.readValues { write($0, to: &writer) }
    return writer.bytes
  }

  static func write(_ post: PostValues, to writer: inout PackedWriter) {
    writer.append(version)
    for entry in post.hasRareFields ? fields : usualFields {
      write(entry, of: post, to: &writer)
    }
  }

  // Compiled into the loop: most fields of most posts have no value, and a call would take longer than to see that.
  @inline(__always)
  private static func write(
    _ entry: Entry, of post: PostValues, to writer: inout PackedWriter
  ) {
    let key = entry.key
    switch entry.place {
    case .text(let slot), .handle(let slot):
      if entry.omission == .sameAsIdentity {
        guard let url = post.text(slot) else { return write(key, "", to: &writer) }
        if let uri, let identity = post.text(uri), ByteSearch.areSame(url, identity) { return }
      }
      if let text = post.text(slot) { writer.write(key, text) }
    case .list(let slot, _):
      guard let texts = post.list(slot) else { return }
      for text in texts { writer.write(key, text) }
    case .date(let slot):
      write(key, post.date(slot).map(Milliseconds.init)?.count, to: &writer)
    case .number(let slot): write(key, post.number(slot).map(Int64.init), to: &writer)
    case .flag(let slot):
      if entry.omission == .no, post.flag(slot) != true { return }
      write(key, post.flag(slot).map { $0 ? 1 : 0 }, to: &writer)
    case .visibility(let slot): write(key, post.visibility(slot)?.rawValue, to: &writer)
    case .attachments(let slot):
      for attachment in post.attachments(slot) { write(attachment, key, to: &writer) }
    // Other columns hold them, or other fields do.
    case .created, .addresses, .context: break
    }
  }

  private static func write(
    _ attachment: PostAttachment, _ key: UInt8, to writer: inout PackedWriter
  ) {
    write(key, attachment.url, to: &writer)
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
    writer.append(detailsKey)
    writer.write(details)
  }

  private static func write(_ key: UInt8, _ text: String?, to writer: inout PackedWriter) {
    guard let text else { return }
    writer.append(key)
    writer.write(text)
  }

  private static func write(_ key: UInt8, _ number: Int64?, to writer: inout PackedWriter) {
    if let number { writer.write(key, signed: number) }
  }

  /// Reads a stored post; nil when the row is not what searchagg writes.
  package static func post(
    from body: ArraySlice<UInt8>, source: SourceName, server: ServerAddress, createdAt: Date?
  ) -> Post? {
    guard body.first == version else {
      return JSONPostBody.post(from: body, source: source, server: server, createdAt: createdAt)
    }
    return Parts(PageDraft(source: source, server: server))
      .post(from: body.dropFirst(), createdAt: createdAt)
  }

  /// The earlier versions of a post that can be read.
  package static func earlierVersions(of post: Post, _ bodies: [[UInt8]]) -> [Post] {
    bodies.compactMap { body in
      var version = self.post(
        from: body[...], source: post.source, server: post.server, createdAt: post.createdAt)
      version?.tags = post.tags
      return version
    }
  }

  /// Calls `visit` with each known field that a body holds, in their order.
  ///
  /// - Returns: False for a body of an earlier form, or one whose bytes end within a field.
  static func forEachField(
    of body: UnsafeBufferPointer<UInt8>,
    _ visit: (PostField, UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    guard body.first == version else { return false }
    let fields = fieldsByKey
    var place = 1
    while place < body.count {
      let key = Int(body[place])
      place += 1
      guard let length = partLength(in: body, at: &place), length <= body.count - place else {
        return false
      }
      if let field = fields[key] {
        visit(field, UnsafeBufferPointer(rebasing: body[place..<place + length]))
      }
      place += length
    }
    return true
  }

  /// Reads the length before a part, as `PackedWriter` writes it; nil if the bytes end before.
  private static func partLength(
    in body: UnsafeBufferPointer<UInt8>, at place: inout Int
  ) -> Int? {
    var length = 0
    var shift = 0
    while place < body.count, shift < 63 {
      let byte = body[place]
      place += 1
      length |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return length }
      shift += 7
    }
    return nil
  }

  /// A placeholder for posts whose server does not matter.
  static let nowhere = ServerAddress("http://localhost")

  /// The title, the text and the poll in a stored post.
  package static func text(inBody body: [UInt8]) -> String? {
    nowhere.flatMap { post(from: body[...], source: "", server: $0, createdAt: nil) }?
      .searchableText
  }

  /// The parts of a body as they are read.
  private struct Parts: ~Copyable {
    private var draft: PageDraft
    private var packed = PackedPost()
    private var lists: [PostField: [String]] = [:]
    private var attachments: [PostAttachment] = []
    private var hasURL = false

    init(_ draft: consuming PageDraft) { self.draft = draft }

    /// Returns the post; nil if the bytes end within a field, or say nothing of its identity.
    consuming func post(from bytes: ArraySlice<UInt8>, createdAt: Date?) -> Post? {
      var reader = PackedReader(bytes)
      while let key = reader.byte() {
        guard let value = reader.part() else { return nil }
        // A later version may have written further fields.
        if let field = fieldsByKey[Int(key)] {
          add(value, to: field)
        } else if key == detailsKey, let last = attachments.popLast() {
          attachments.append(detailed(last, by: value))
        }
      }
      guard !packed.uri.isNone else { return nil }
      if !hasURL { packed.url = packed.uri }
      if packed.url.isEmpty { packed.url = .none }
      for (field, texts) in lists {
        if case .list(let slot, let rule) = field.place { packed[slot] = draft.list(texts, rule) }
      }
      packed.attachments = draft.list(attachments)
      packed.createdAt = createdAt
      draft.add(packed)
      return draft.posts().first
    }

    private mutating func add(_ value: ArraySlice<UInt8>, to field: PostField) {
      if field == .url { hasURL = true }
      switch field.place {
      case .text(let slot), .handle(let slot):
        packed[slot] = value.withUnsafeBufferPointer { draft.keep($0) }
      case .list: lists[field, default: []].append(String(decoding: value, as: UTF8.self))
      case .date(let slot): packed[slot] = number(value).map { Milliseconds(count: $0).date }
      case .number(let slot): packed[slot] = number(value).map(Int.init)
      case .flag(let slot): packed[slot] = number(value).map { $0 != 0 }
      case .visibility(let slot):
        packed[slot] = Visibility(named: String(decoding: value, as: UTF8.self))
      case .attachments:
        attachments.append(PostAttachment(String(decoding: value, as: UTF8.self)))
      case .created, .addresses, .context: break
      }
    }

    private func number(_ value: ArraySlice<UInt8>) -> Int64? {
      var reader = PackedReader(value)
      return reader.signedNumber()
    }

    private func detailed(
      _ attachment: PostAttachment, by details: ArraySlice<UInt8>
    ) -> PostAttachment {
      var texts: [DetailKey: String] = [:]
      var reader = PackedReader(details)
      while let byte = reader.byte(), let text = reader.text() {
        if let key = DetailKey(rawValue: byte) { texts[key] = text }
      }
      return PostAttachment(
        attachment.url, kind: texts[.kind].flatMap(PostAttachment.Kind.init), type: texts[.type],
        description: texts[.description], thumbnail: texts[.thumbnail])
    }
  }
}
