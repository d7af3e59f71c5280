/// A post before a network gives it its own form.
struct CorpusPost: Sendable {
  /// Its relation to other posts.
  enum Shape: Sendable, Hashable { case plain, reply, quote, repost, edited }

  /// A post that another one refers to.
  struct Earlier: Sendable {
    /// Its index among the posts of the corpus, the oldest first.
    let number: Int
    let mark: UInt64
    let milliseconds: Int
    fileprivate(set) var titlePieces: [TextPiece]
    fileprivate(set) var pieces: [TextPiece]

    init(_ post: CorpusPost, number: Int) {
      self.number = number
      mark = post.mark
      milliseconds = post.milliseconds
      titlePieces = post.titlePieces
      pieces = post.pieces
    }
  }

  /// The index in the corpus; the newest is 0.
  let ordinal: Int
  /// Random bits.
  let mark: UInt64
  /// When it was posted, in milliseconds since 1970; no two of a corpus share a second, unless a fault
  /// makes them.
  var milliseconds: Int
  var author: CorpusAuthor
  /// The author whom it answers, quotes or repeats.
  let other: CorpusAuthor
  let shape: Shape
  /// The post that it answers, quotes or repeats; nil for a plain or an edited one.
  private(set) var earlier: Earlier?
  /// The text of its title, on networks that have titles.
  var titlePieces: [TextPiece]
  var pieces: [TextPiece]
  let language: String?
  let likes: Int
  var reposts: Int
  var replies: Int
  let hasImage: Bool
  let isSensitive: Bool

  var seconds: Int { milliseconds / 1000 }
  var plainText: String { pieces.map(\.plain).joined() }

  /// The title, on one line.
  var title: String { Self.line(titlePieces) }

  /// The text of what it answers, quotes or repeats.
  var earlierPieces: [TextPiece] { earlier?.pieces ?? pieces }

  /// The mark of the post that it refers to; its own for its version before an edit.
  var earlierMark: UInt64 { earlier?.mark ?? mark }

  /// The time of the post that it refers to, or of its version before an edit.
  var earlierMilliseconds: Int { earlier?.milliseconds ?? milliseconds - 1_200_000 }

  /// Returns pieces as one line, with single blanks.
  static func line(_ pieces: [TextPiece]) -> String {
    pieces.map(\.plain).joined().split(separator: " ").joined(separator: " ")
  }

  /// The options of its poll; few posts have one.
  var poll: [String] {
    guard shape == .plain, !hasImage, has(110, percent: 4) else { return [] }
    return Self.polls[Int(mark % UInt64(Self.polls.count))]
  }

  /// The warning of a sensitive post.
  var warning: String? {
    isSensitive ? Self.warnings[Int(mark % UInt64(Self.warnings.count))] : nil
  }

  private static let polls = [
    ["Yes", "No", "Not yet"], ["Every day", "Now & then", "<never>"], ["Tabs", "Spaces"],
    ["はい", "いいえ"],
  ]
  private static let warnings = [
    "Long & technical", "Spoilers", "A bit of a rant", "Flashing pictures",
  ]

  /// Returns the post with each word of a query inside a longer one, where a text search finds it too.
  func hiding(_ words: [String]) -> CorpusPost {
    let longer = words.map { "un\($0)ing" }.joined(separator: " ")
    return changing { piece in
      switch piece {
      case .hashtag(let name): .words("un\(name)ing")
      case .words(let text) where text == words.joined(separator: " ") + " ": .words(longer + " ")
      case .words, .mention, .link, .lineBreak: piece
      }
    }
  }

  /// Returns the post with other pieces in its title, in its text and in what it refers to.
  private func changing(_ change: (TextPiece) -> TextPiece) -> CorpusPost {
    var post = self
    post.titlePieces = titlePieces.map(change)
    post.pieces = pieces.map(change)
    if let earlier {
      post.earlier?.titlePieces = earlier.titlePieces.map(change)
      post.earlier?.pieces = earlier.pieces.map(change)
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
    let changed = changing { piece in
      switch piece {
      case .words(let text):
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return .words(parts.map { words.contains($0) ? change($0) : $0 }.joined(separator: " "))
      case .hashtag(let name): return .hashtag(words.contains(name) ? change(name) : name)
      case .mention, .link, .lineBreak: return piece
      }
    }
    return CorpusPost(
      ordinal: ordinal, mark: mark &* 0x9E37_79B9_7F4A_7C15 | 1, milliseconds: milliseconds - 7000,
      author: author, other: other, shape: shape, earlier: changed.earlier,
      titlePieces: changed.titlePieces, pieces: changed.pieces, language: language, likes: likes,
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

/// An author, the same for every query on one network and seed.
struct CorpusAuthor: Sendable, Hashable {
  let ordinal: Int
  /// Random bits from which each network derives its identifiers.
  let mark: UInt64
  /// A unique name of letters, digits and underscores.
  let handle: String
  /// The display name; may be empty.
  var name: String

  /// The number of authors on a network.
  static let count = 48

  private static let givenNames = [
    "Ada", "Grace", "Linus", "Yukihiro", "Margaret", "Dennis", "Barbara", "Ken", "Radia", "Donald",
    "Frances", "Guido", "Sophie", "Anders", "Katherine", "Edsger",
  ]
  private static let familyNames = [
    "Okafor", "Lindqvist", "Tanaka", "Moreau", "Silva", "Novak", "Haddad", "Byrne", "Kowalski",
    "Jensen", "Ferrari", "Nguyen", "Schmidt", "Papadakis", "Rossi", "Iyer",
  ]

  /// Returns the author of that ordinal.
  init(_ ordinal: Int, network: String, seed: UInt64) {
    var numbers = SplitMix64(seed: StableHash.of(network, "author", "\(ordinal)", seed: seed))
    self.ordinal = ordinal
    mark = numbers.next()
    let given = numbers.pick(Self.givenNames)
    let family = numbers.pick(Self.familyNames)
    handle =
      numbers.pick(["\(given)\(family)", "\(given)_\(family)", "\(given)"]).lowercased()
      + "\(ordinal)"
    let plain = "\(given) \(family)"
    name = numbers.pick([
      plain, plain, plain, "\(plain) 🦜", "\(given) 🏳️‍🌈", "山田 \(given)", "Zoë \(family)", "",
      "\(given) & \(family) <dev>",
    ])
  }
}

extension [CorpusPost] {
  /// The most relevant first.
  var byRelevance: [CorpusPost] { sorted { ($0.likes, $0.mark) > ($1.likes, $1.mark) } }
}
