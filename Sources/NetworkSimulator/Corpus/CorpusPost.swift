/// A post before a network gives it its own form.
struct CorpusPost: Sendable {
  /// Its relation to other posts.
  enum Shape: Sendable, Hashable { case plain, reply, quote, repost, edited }

  /// The index in the corpus; the newest is 0.
  let ordinal: Int
  /// Random bits.
  let mark: UInt64
  /// When it was posted, in milliseconds since 1970; no two of a corpus share a second.
  let milliseconds: Int
  var author: CorpusAuthor
  /// The author whom it answers, quotes or repeats.
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

  /// Returns the post with each word of a query inside a longer one, where a text search finds it too.
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

  /// Returns true for the `percent` of posts that have the numbered trait.
  func has(_ trait: UInt64, percent: UInt64) -> Bool {
    var numbers = SplitMix64(seed: mark ^ (trait &* 0xA24B_AED4_963E_E407))
    return numbers.next() % 100 < percent
  }

  /// Returns another post, seven seconds older, with each of the words changed: a result of networks
  /// that match more than whole words.
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

/// A part of a post's text; each network writes the parts in its own way.
enum TextPiece: Sendable, Hashable {
  case words(String)
  case hashtag(String)
  case mention(CorpusAuthor)
  case link(String)
  case lineBreak

  /// The piece as a reader sees it.
  var plain: String {
    switch self {
    case .words(let text): text
    case .hashtag(let name): "#\(name)"
    case .mention(let author): "@\(author.handle)"
    case .link(let address): address
    case .lineBreak: "\n"
    }
  }
}
