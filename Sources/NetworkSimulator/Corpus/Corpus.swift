/// All posts that one network has for one query, newest first.
struct Corpus: Sendable {
  let posts: [CorpusPost]

  private static let minute = 60_000
  private static let span = 6 * 24 * 60 * minute
  private static let newest = minute...60 * minute

  /// Makes the corpus of (seed, network, words): 60 to 250 posts of the six days before `now`.
  ///
  /// `authors` are all that the network has.
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
      // The newest hour holds more than its share, as it does where things are being talked about.
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

  /// Returns the query's words as they stand in each post: as a phrase, and each as a hashtag.
  private static func subject(of terms: QueryTerms) -> [TextPiece] {
    let tags = terms.words.filter(isTaggable)
    // The one hashtag holds the one word.
    let phrase: [TextPiece] =
      terms.words.count == 1 && tags.count == 1 ? [] : [.words(terms.key + " ")]
    return phrase + tags.flatMap { [.hashtag($0), .words(" ")] }
  }

  /// Whether a word can stand behind `#` as a whole.
  private static func isTaggable(_ word: String) -> Bool {
    word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && word.contains { $0.isLetter }
  }
}
