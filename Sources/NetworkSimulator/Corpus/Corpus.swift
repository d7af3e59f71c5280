/// All posts that one network has for one query, newest first.
struct Corpus: Sendable {
  let posts: [CorpusPost]

  private static let minute = 60_000
  private static let span = 6 * 24 * 60 * minute
  private static let newest = minute...60 * minute

  /// Makes the corpus of (seed, network, words): 60 to 250 posts of the six days before `now`.
  init(_ terms: QueryTerms, network: String, seed: UInt64, now: Int) {
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
    posts = moments.enumerated().map { ordinal, moment in
      Self.post(ordinal, at: moment, of: terms, network: network, seed: seed, numbers: &numbers)
    }
  }

  private static func post(
    _ ordinal: Int, at moment: Int, of terms: QueryTerms, network: String, seed: UInt64,
    numbers: inout SplitMix64
  ) -> CorpusPost {
    let author = CorpusAuthor(
      numbers.draw(0...CorpusAuthor.count - 1), network: network, seed: seed)
    let other = CorpusAuthor(numbers.draw(0...CorpusAuthor.count - 1), network: network, seed: seed)
    let shapes: [CorpusPost.Shape] = [
      .plain, .plain, .plain, .plain, .plain, .plain, .reply, .reply, .quote, .edited, .repost,
    ]
    let shape = numbers.pick(shapes)
    return CorpusPost(
      ordinal: ordinal, mark: numbers.next(), milliseconds: moment, author: author, other: other,
      shape: shape, pieces: text(of: terms, shape: shape, other: other, numbers: &numbers),
      language: numbers.pick(Phrases.languages), likes: numbers.draw(0...900),
      reposts: numbers.draw(0...120), replies: numbers.draw(0...40), hasImage: numbers.chance(12),
      isSensitive: numbers.chance(6))
  }

  private static func text(
    of terms: QueryTerms, shape: CorpusPost.Shape, other: CorpusAuthor, numbers: inout SplitMix64
  ) -> [TextPiece] {
    var pieces: [TextPiece] = []
    if shape == .reply { pieces += [.mention(other), .words(" ")] }
    pieces.append(.words(numbers.pick(Phrases.openings) + " "))
    if terms.words.count > 1 || !isTaggable(terms.words[0]) {
      pieces.append(.words(terms.key + " "))
    }
    pieces.append(
      contentsOf: terms.words.filter(isTaggable).flatMap { [.hashtag($0), .words(" ")] })
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

  /// Whether a word can stand behind `#` as a whole.
  private static func isTaggable(_ word: String) -> Bool {
    word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && word.contains { $0.isLetter }
  }
}
