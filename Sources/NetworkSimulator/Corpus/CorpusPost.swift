/// A post before a network gives it its own form.
struct CorpusPost: Sendable {
  /// How it stands to other posts.
  enum Shape: Sendable, Hashable { case plain, reply, quote, repost, edited }

  /// Its place in the corpus; the newest is 0.
  let ordinal: Int
  /// Random bits of its own.
  let mark: UInt64
  /// When it was posted, in milliseconds since 1970; no two of a corpus share a second.
  let milliseconds: Int
  var author: CorpusAuthor
  /// Whom it answers, quotes or repeats.
  let other: CorpusAuthor
  let shape: Shape
  var pieces: [TextPiece]
  let language: String?
  let likes: Int
  let reposts: Int
  let replies: Int
  let hasImage: Bool
  let isSensitive: Bool

  var seconds: Int { milliseconds / 1000 }
  var plainText: String { pieces.map(\.plain).joined() }

  /// The post with each word of a query inside a longer one, where a search for a text finds it as
  /// well.
  func hiding(_ words: [String]) -> CorpusPost {
    let longer = words.map { "un\($0)ing" }.joined(separator: " ")
    var post = self
    post.pieces = pieces.map { piece in
      switch piece {
      case .hashtag(let name): .words("un\(name)ing")
      case .words(let text) where text == words.joined(separator: " ") + " ": .words(longer + " ")
      case .words, .mention, .link, .lineBreak: piece
      }
    }
    return post
  }

  var hasLink: Bool { link != nil }

  /// The address of its first link.
  var link: String? {
    for case .link(let address) in pieces { return address }
    return nil
  }

  /// Whether it belongs to the `percent` of posts that have the trait of that number.
  func has(_ trait: UInt64, percent: UInt64) -> Bool {
    var numbers = SplitMix64(seed: mark ^ (trait &* 0xA24B_AED4_963E_E407))
    return numbers.next() % 100 < percent
  }

  /// Returns another post, seven seconds older, in which each of the words is changed: what a network
  /// finds that looks for more than whole words.
  func nearMiss(of words: [String], _ change: (String) -> String) -> CorpusPost {
    let pieces = pieces.map { piece in
      switch piece {
      case .words(let text):
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return TextPiece.words(
          parts.map { words.contains($0) ? change($0) : $0 }.joined(separator: " "))
      case .hashtag(let name): return .hashtag(words.contains(name) ? change(name) : name)
      case .mention, .link, .lineBreak: return piece
      }
    }
    return CorpusPost(
      ordinal: ordinal, mark: mark &* 0x9E37_79B9_7F4A_7C15 | 1, milliseconds: milliseconds - 7000,
      author: author, other: other, shape: shape, pieces: pieces, language: language, likes: likes,
      reposts: reposts, replies: replies, hasImage: hasImage, isSensitive: isSensitive)
  }
}
