internal import SearchModel

/// The fields of a post that the index knows, as UTF-8; valid only within the closure that gets them.
struct IndexedFields {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// An account; a handle may be empty.
  struct Person {
    var handle: Bytes?
    var name: Bytes?
  }

  let source: SourceName
  private(set) var language: Bytes?
  private(set) var furtherLanguages: [Bytes] = []
  private(set) var author = Person()
  /// The account that reposted it; one without a handle does not count.
  private(set) var reposter = Person()
  private(set) var title: Bytes?
  private(set) var text: Bytes?
  private(set) var poll: [Bytes] = []
  private(set) var topics: [Bytes] = []

  private init(source: SourceName) { self.source = source }

  /// Calls `body` with the fields of a post.
  static func read<Result>(_ post: Post, _ body: (IndexedFields) -> Result) -> Result {
    post.readValues { post in
      let (record, rare) = (post.record, post.rare)
      let bytes = { (range: TextRange) in range.isNone ? nil : post.texts[range] }
      var fields = IndexedFields(source: post.source)
      fields.language = bytes(record.language)
      fields.furtherLanguages = Array(post.texts[rare.furtherLanguages])
      fields.author = Person(
        handle: bytes(record.author.handle), name: bytes(record.author.name))
      if let reposter = rare.repostedBy {
        fields.reposter = Person(handle: bytes(reposter.handle), name: bytes(reposter.name))
      }
      fields.title = bytes(record.title)
      fields.text = bytes(record.text)
      fields.poll = Array(post.texts[rare.poll])
      fields.topics = Array(post.texts[record.topics])
      return body(fields)
    }
  }

  /// Calls `body` with the fields of a stored post, which need not become a post for it; returns nil where
  /// only the post can tell.
  static func read<Result>(
    stored: Bytes, source: SourceName, _ body: (IndexedFields) -> Result
  ) -> Result? {
    var fields = IndexedFields(source: source)
    var hasIdentity = false
    var reposterName: Bytes?
    let isWhole = PostBody.forEachField(of: stored) { field, value in
      switch field {
      case .uri: hasIdentity = true
      case .language: fields.language = value
      case .furtherLanguages: fields.furtherLanguages.append(value)
      case .authorHandle: fields.author.handle = value
      case .authorName: fields.author.name = value
      case .reposterHandle: fields.reposter.handle = value
      case .reposterName: reposterName = value
      case .title: fields.title = value
      case .text: fields.text = value
      case .poll: fields.poll.append(value)
      case .topics: fields.topics.append(value)
      default: break
      }
    }
    // Lists are made of what is stored by rules of their own.
    guard isWhole, hasIdentity, fields.poll.isEmpty, Topic.areBounded(fields.topics) else {
      return nil
    }
    if fields.reposter.handle != nil { fields.reposter.name = reposterName }
    return body(fields)
  }
}
