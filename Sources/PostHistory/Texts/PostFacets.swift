internal import SearchModel
internal import TextFormats

/// The facets of a post besides its words, as tokens in a column of the index: a letter for
/// the kind, then the value. `a` is an author, `h` a hashtag or, since version 7 of the schema, a topic, `l` a
/// language, `s` a network.
enum PostFacets {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private static let author = UInt8(ascii: "a")
  private static let hashtag = UInt8(ascii: "h")
  private static let language = UInt8(ascii: "l")
  private static let network = UInt8(ascii: "s")

  /// The facets of a post, each once but for repeated hashtags; ASCII may be in any case.
  static func all(of post: Post) -> [String] {
    IndexedFields.read(post) { fields in
      var facets: [String] = []
      forEach(of: fields) { kind, value in
        facets.append(String(decoding: [kind] + value, as: UTF8.self))
      }
      return facets
    }
  }

  /// Calls `body` with the kind and the value of each of them.
  static func forEach(of fields: IndexedFields, _ body: (UInt8, Bytes) -> Void) {
    withBytes(of: fields.source.rawValue) { body(network, $0) }
    forLanguage(fields.language) { body(language, $0) }
    for tag in fields.furtherLanguages { forLanguage(tag) { body(language, $0) } }
    for person in [fields.author, fields.reposter] {
      if let handle = person.handle, !handle.isEmpty {
        forHandle(handle) { body(author, $0) }
      }
      if let name = person.name { body(author, name) }
    }
    var hashtags: [[UInt8]] = []
    for text in [fields.title, fields.text] {
      guard let text else { continue }
      forEachHashtag(in: text) { name in
        if !fields.topics.isEmpty { hashtags.append(lowered(name)) }
        body(hashtag, name)
      }
    }
    for topic in fields.topics {
      let key = Array(Topic.key(String(decoding: topic, as: UTF8.self)).utf8)
      guard !hashtags.contains(key) else { continue }
      hashtags.append(key)
      key.withUnsafeBufferPointer { body(hashtag, $0) }
    }
  }

  private static func withBytes(of text: String, _ body: (Bytes) -> Void) {
    var text = text
    text.withUTF8(body)
  }

  private static func forLanguage(_ tag: Bytes?, _ body: (Bytes) -> Void) {
    if let tag, LanguageTag.isPrimary(tag) { return body(tag) }
    let tag = tag.map { String(decoding: $0, as: UTF8.self) }
    withBytes(of: LanguageTag.primary(tag) ?? unknown, body)
  }

  private static func lowered(_ bytes: Bytes) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  private static func forHandle(_ handle: Bytes, _ body: (Bytes) -> Void) {
    guard IndexedText.isPlain(handle) else {
      return withBytes(of: AuthorName(String(decoding: handle, as: UTF8.self)).text, body)
    }
    let start = handle.firstIndex { $0 != UInt8(ascii: "@") } ?? handle.count
    body(Bytes(rebasing: handle[start...]))
  }

  /// The FTS5 phrase that every post with this author or hashtag matches; nil where the index
  /// cannot tell.
  static func phrase(for term: QueryTerm) -> String? {
    switch term.kind {
    case .author: return IndexedText.phrase(AuthorName(term.value).text, prefix: "a")
    case .tag:
      guard isSpacedHashtag(term.value) else { return nil }
      return IndexedText.phrase(term.value, prefix: "h")
    case .word, .phrase, .language: return nil
    }
  }

  /// The FTS5 phrases of which every post with this author or language matches one.
  static func phrases(for term: QueryTerm) -> [String?] {
    guard term.kind == .language else { return [phrase(for: term)] }
    return LanguageTag.codes(of: term.value).map { "\"\(language($0))\"" }
  }

  /// True if a hashtag of this name is one word, so that its facet is all of it.
  static func isSpacedHashtag(_ name: String) -> Bool {
    NormalForm.bare(name.lowercased()).unicodeScalars.allSatisfy(SearchedText.isOfSpacedWord)
  }

  /// The FTS5 phrase that every post with a topic of this name matches; nil where the index cannot tell.
  static func phrase(forTopic name: String) -> String? {
    let key = Topic.key(name)
    return key.isEmpty ? nil : IndexedText.phrase(key, prefix: "h")
  }

  static func phrase(for source: SourceName) -> String? {
    IndexedText.phrase(source.rawValue, prefix: "s")
  }

  /// The token of posts in a language, or of those whose language is unknown.
  static func language(_ name: String?) -> String { "l\(name ?? unknown)" }

  private static let unknown = "unknown"

  /// Calls `body` with the name of each hashtag in a text.
  private static func forEachHashtag(in text: Bytes, _ body: (Bytes) -> Void) {
    // EF is the first byte of the wide mark.
    if ByteSearch.first(0xEF, in: text, from: 0) != nil {
      return IndexedText.forEachWord(of: text) { forEachHashtag(inWord: $0, body) }
    }
    var place = 0
    while let mark = ByteSearch.first(UInt8(ascii: "#"), in: text, from: place) {
      let isSpace = { (byte: UInt8) in byte <= 0x20 }
      let start = text[place..<mark].lastIndex(where: isSpace).map { $0 + 1 } ?? place
      let end = text[mark...].firstIndex(where: isSpace) ?? text.count
      forEachHashtag(inWord: Bytes(rebasing: text[start..<end]), body)
      place = end
    }
  }

  private static func forEachHashtag(inWord word: Bytes, _ body: (Bytes) -> Void) {
    guard !IndexedText.isPlain(word) else { return forEachHashtag(inPlainWord: word, body) }
    let letters = NormalForm.bare(String(decoding: word, as: UTF8.self).lowercased())
    let parts = letters.unicodeScalars.split(omittingEmptySubsequences: false) {
      $0 == "#" || $0 == "\u{FF03}"
    }
    for part in parts.dropFirst() {
      let name = part.prefix(while: SearchedText.isOfSpacedWord)
      if !name.isEmpty { withBytes(of: String(Substring(name)), body) }
    }
  }

  private static func forEachHashtag(inPlainWord word: Bytes, _ body: (Bytes) -> Void) {
    for place in word.indices where word[place] == UInt8(ascii: "#") {
      let name = word[(place + 1)...]
        .prefix { SearchedText.isOfSpacedWord(Unicode.Scalar($0)) }
      if !name.isEmpty { body(Bytes(rebasing: name)) }
    }
  }
}
