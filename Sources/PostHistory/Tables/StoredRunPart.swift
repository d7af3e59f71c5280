internal import SearchModel

/// One search of a run as the run's row holds it, with the posts that it found.
package struct StoredRunPart: Sendable {
  package var search: SearchKey
  package var answer: StoredAnswer?
  package var posts: [Fingerprint]

  /// The parts of a run in one value.
  package static func bytes(_ parts: [StoredRunPart]) -> [UInt8] {
    var writer = StoredRunPartWriter()
    for part in parts { writer.write(part.search, part.answer, posts: part.posts) }
    return writer.bytes
  }

  /// The parts in a value, as far as it makes sense.
  package static func all(in bytes: [UInt8]) -> [StoredRunPart] {
    var reader = PackedReader(bytes[...])
    var parts: [StoredRunPart] = []
    while let part = StoredRunPart(&reader) { parts.append(part) }
    return parts
  }

  private init?(_ reader: inout PackedReader) {
    guard let tag = reader.text(), let isRaw = reader.byte(), let source = reader.text(),
      let server = reader.text(), let answer = reader.text(),
      let count = reader.number().flatMap({ Int(exactly: $0) })
    else { return nil }
    search = SearchKey(
      tag: tag, isRaw: isRaw == 1, source: SourceName(rawValue: source), serverName: server)
    self.answer = answer.isEmpty ? nil : StoredAnswerText.answer(answer)
    posts = []
    while posts.count < count {
      guard let bytes = reader.bytes(Fingerprint.size) else { return nil }
      posts.append(Fingerprint(bytes))
    }
  }

  package init(search: SearchKey, answer: StoredAnswer?, posts: [Fingerprint]) {
    self.search = search
    self.answer = answer
    self.posts = posts
  }
}

/// Writes the parts of a run into one value.
struct StoredRunPartWriter: ~Copyable {
  private var writer = PackedWriter()

  /// The number of bytes so far.
  var count: Int { writer.count }

  mutating func write(
    _ search: SearchKey, _ answer: StoredAnswer?, posts: some Collection<Fingerprint>
  ) {
    writer.write(search.tag)
    writer.append(search.isRaw ? 1 : 0)
    writer.write(search.source.rawValue)
    writer.write(search.server)
    // No answer is an empty text, which no answer has.
    writer.write(answer.map(StoredAnswerText.text) ?? "")
    writer.write(UInt64(posts.count))
    for post in posts { writer.append(post) }
  }

  var bytes: [UInt8] { consuming get { writer.bytes } }
}
