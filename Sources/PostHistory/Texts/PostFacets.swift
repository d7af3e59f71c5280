internal import SearchModel

/// The facets of a post besides its words, as tokens in a column of the index: a letter for
/// the kind, then the value. `a` is an author, `h` a hashtag or, since version 7 of the schema, a topic, `l` a
/// language, `s` a network.
enum PostFacets {
  static func indexed(of post: Post) -> String {
    all(of: post).map { IndexedText.indexed($0) }.joined(separator: " ")
  }

  /// The facets of a post, each once but for repeated hashtags.
  static func all(of post: Post) -> [String] {
    var facets = [
      "s\(post.source)", language(LanguageTag.primary(post.language)),
    ]
    for person in [post.author, post.repostedBy].compactMap(\.self) {
      if !person.handle.isEmpty { facets.append("a\(AuthorName(person.handle).text)") }
      if let name = person.name { facets.append("a\(name)") }
    }
    for text in [post.title, post.text].compactMap(\.self) { facets += hashtags(in: text) }
    for topic in post.topics {
      let facet = "h\(Topic.key(topic))"
      if !facets.contains(facet) { facets.append(facet) }
    }
    return facets
  }

  /// The FTS5 phrase that every post with this author, hashtag or language matches; nil where the index
  /// cannot tell.
  static func phrase(for term: QueryTerm) -> String? {
    switch term.kind {
    case .author: return IndexedText.phrase(AuthorName(term.value).text, prefix: "a")
    case .language: return "\"\(language(term.value))\""
    case .tag:
      guard isSpacedHashtag(term.value) else { return nil }
      return IndexedText.phrase(term.value, prefix: "h")
    case .word, .phrase: return nil
    }
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
  static func language(_ name: String?) -> String { "l\(name ?? "unknown")" }

  private static func hashtags(in text: String) -> [String] {
    // EF is the first byte of the wide mark.
    let mayBegin: (UInt8) -> Bool = { $0 == UInt8(ascii: "#") || $0 == 0xEF }
    guard text.utf8.contains(where: mayBegin) else { return [] }
    var hashtags: [String] = []
    IndexedText.forEachWord(of: text) { word in
      guard word.contains(where: mayBegin) else { return }
      let letters = NormalForm.bare(String(decoding: word, as: UTF8.self).lowercased())
      let parts = letters.unicodeScalars.split(omittingEmptySubsequences: false) {
        $0 == "#" || $0 == "\u{FF03}"
      }
      for part in parts.dropFirst() {
        let name = part.prefix(while: SearchedText.isOfSpacedWord)
        if !name.isEmpty { hashtags.append("h\(String(Substring(name)))") }
      }
    }
    return hashtags
  }
}
