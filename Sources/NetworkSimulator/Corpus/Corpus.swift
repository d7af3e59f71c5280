/// All posts on one network for one query, newest first.
struct Corpus: Sendable {
  let posts: [CorpusPost]

  private static let minute = 60_000
  private static let span = 6 * 24 * 60 * minute
  private static let newest = minute...60 * minute

  /// Creates the corpus of (seed, network, words): 60 to 250 posts from the six days before `now`.
  ///
  /// - Parameter authors: All authors on the network.
  init(
    _ terms: QueryTerms, network: String, authors: [CorpusAuthor], seed: UInt64, now: Int
  ) {
    guard !terms.findsNothing else {
      posts = []
      return
    }
    var numbers = SplitMix64(seed: StableHash.of(network, terms.key, seed: seed))
    let count = terms.findsPlenty ? 1500 : numbers.draw(60...250)
    var moments: [Int] = []
    var taken: Set<Int> = []
    while moments.count < count {
      // The newest hour has more than its share, as with a topic that people are discussing.
      let age =
        numbers.chance(10) ? numbers.draw(Self.newest) : numbers.draw(Self.minute...Self.span)
      let moment = now - age
      if taken.insert(moment / 1000).inserted { moments.append(moment) }
    }
    moments.sort(by: >)
    let subject = Self.subject(of: terms)
    posts = moments.enumerated().map { ordinal, moment in
      Self.post(ordinal, at: moment, on: subject, by: authors, numbers: &numbers)
    }
  }

  private static let shapes: [CorpusPost.Shape] = [
    .plain, .plain, .plain, .plain, .plain, .plain, .reply, .reply, .quote, .edited, .repost,
  ]

  private static func post(
    _ ordinal: Int, at moment: Int, on subject: [TextPiece], by authors: [CorpusAuthor],
    numbers: inout SplitMix64
  ) -> CorpusPost {
    let author = numbers.pick(authors)
    let other = numbers.pick(authors)
    let shape = numbers.pick(shapes)
    return CorpusPost(
      ordinal: ordinal, mark: numbers.next(), milliseconds: moment, author: author, other: other,
      shape: shape, pieces: text(on: subject, shape: shape, other: other, numbers: &numbers),
      language: numbers.pick(Phrases.languages), likes: numbers.draw(0...900),
      reposts: numbers.draw(0...120), replies: numbers.draw(0...40), hasImage: numbers.chance(12),
      isSensitive: numbers.chance(6))
  }

  private static func text(
    on subject: [TextPiece], shape: CorpusPost.Shape, other: CorpusAuthor, numbers: inout SplitMix64
  ) -> [TextPiece] {
    var pieces: [TextPiece] = []
    if shape == .reply { pieces += [.mention(other), .words(" ")] }
    pieces.append(.words(numbers.pick(Phrases.openings) + " "))
    pieces += subject
    pieces.append(.words(numbers.pick(Phrases.middles)))
    if numbers.chance(20) {
      pieces += [.lineBreak, .lineBreak]
    } else {
      pieces.append(.words(" "))
    }
    if numbers.chance(45) {
      let address = "https://\(numbers.pick(Phrases.hosts))/\(numbers.pick(Phrases.paths))"
      pieces += [.link(address), .words(" ")]
    }
    pieces.append(.words(numbers.pick(Phrases.closings)))
    return pieces
  }

  /// Returns the query's words as they appear in each post: as a phrase, and each as a hashtag.
  private static func subject(of terms: QueryTerms) -> [TextPiece] {
    let tags = terms.words.filter(isTaggable)
    // A single hashtag already contains the single word.
    let phrase: [TextPiece] =
      terms.words.count == 1 && tags.count == 1 ? [] : [.words(terms.key + " ")]
    return phrase + tags.flatMap { [.hashtag($0), .words(" ")] }
  }

  /// Returns true for a word that is a valid hashtag as a whole.
  private static func isTaggable(_ word: String) -> Bool {
    word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && word.contains { $0.isLetter }
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

  /// Returns the author of that ordinal.
  init(_ ordinal: Int, network: String, seed: UInt64) {
    var numbers = SplitMix64(seed: StableHash.of(network, "author", "\(ordinal)", seed: seed))
    self.ordinal = ordinal
    mark = numbers.next()
    let given = numbers.pick(Phrases.givenNames)
    let family = numbers.pick(Phrases.familyNames)
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

/// The words that posts and names are made of.
enum Phrases {
  static let givenNames = [
    "Ada", "Grace", "Linus", "Yukihiro", "Margaret", "Dennis", "Barbara", "Ken", "Radia", "Donald",
    "Frances", "Guido", "Sophie", "Anders", "Katherine", "Edsger",
  ]
  static let familyNames = [
    "Okafor", "Lindqvist", "Tanaka", "Moreau", "Silva", "Novak", "Haddad", "Byrne", "Kowalski",
    "Jensen", "Ferrari", "Nguyen", "Schmidt", "Papadakis", "Rossi", "Iyer",
  ]
  static let openings = [
    "Finally shipped it:", "Hot take on", "Today I learned about", "Is anybody else using",
    "A short thread about", "We spent the week with", "So happy with", "\"Just use\"",
    "Benchmarks & notes:", "If a < b && b > c, think of", "Don't sleep on", "Good morning 🌅 from",
    "🚀🚀 New release around", "日本語でも話しましょう:", "오늘의 주제:", "Привет! Немного о",
    "👩‍👩‍👧‍👦 Family project:", "Merhaba dünya,", "¿Alguien conoce",
  ]
  static let middles = [
    "and it just works", "after three years of production use", "— what a journey",
    "with 40 % less memory", "in the browser 🎉", "on a Raspberry Pi", "これはすごい",
    "for the rest of us", "and I can't go back", "without a single dependency", "is \"done\" now",
    "(see the linked notes)", "🤔 not sure yet", "at the café in Zürich", "since R&D said <no>",
  ]
  static let closings = [
    "Thoughts?", "More soon.", "Thank you all 💜", "Slides follow.", "#", "…", "Read on 👇🏽",
    "Feedback welcome!", "また明日", "q.e.d.", "Details in the repository.", "Ask me anything.",
  ]
  static let paths = [
    "blog/2026/a-rather-long-title-that-will-be-shortened", "notes", "releases/v2.0.1",
    "talks/index.html?lang=en&year=2026", "paper.pdf", "projects/caf%C3%A9#intro", "a/b/c",
  ]
  static let hosts = ["example.com", "www.example.org", "blog.example.net", "git.example.dev"]
  static let languages: [String?] = ["en", "en", "en", "en", "de", "ja", "es", "fr", "pt", nil]
}
