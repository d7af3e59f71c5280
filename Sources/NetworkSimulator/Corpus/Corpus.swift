/// All posts on one network for one query, newest first.
struct Corpus: Sendable {
  let posts: [CorpusPost]

  private static let minute = 60_000
  private static let span = 6 * 24 * 60 * minute
  private static let newest = minute...60 * minute

  /// Creates the corpus of (seed, network, words): 60 to 250 posts from the six days before `now`, or as
  /// many as a query that begins with `plenty` says.
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
    let count = terms.plenty ?? numbers.draw(60...250)
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
    // The oldest first, so that there is something to answer, to quote and to repeat.
    var written: [CorpusPost] = []
    for (ordinal, moment) in moments.enumerated().reversed() {
      let post = Self.post(
        ordinal, at: moment, on: subject, by: authors, after: written, numbers: &numbers)
      written.append(post)
      guard let number = post.earlier?.number else { continue }
      switch post.shape {
      case .reply: written[number].replies += 1
      case .quote, .repost: written[number].reposts += 1
      case .plain, .edited: break
      }
    }
    posts = written.reversed()
  }

  private static let shapes: [CorpusPost.Shape] = [
    .plain, .plain, .plain, .plain, .plain, .plain, .reply, .reply, .quote, .edited, .repost,
  ]

  /// The number of latest posts that others refer to: the fewer, the longer the threads.
  private static let discussed = 12

  private static func post(
    _ ordinal: Int, at moment: Int, on subject: [TextPiece], by authors: [CorpusAuthor],
    after written: [CorpusPost], numbers: inout SplitMix64
  ) -> CorpusPost {
    let author = numbers.pick(authors)
    var shape = numbers.pick(shapes)
    var other = numbers.pick(authors)
    let number = written.count - 1 - numbers.draw(0...discussed - 1)
    var earlier: CorpusPost.Earlier?
    switch shape {
    case .reply, .quote, .repost:
      if written.indices.contains(number) {
        earlier = CorpusPost.Earlier(written[number], number: number)
        other = written[number].author
      } else {
        shape = .plain
      }
    case .plain, .edited: break
    }
    let voice = Voice(numbers.pick(Voice.languages), numbers: &numbers)
    return CorpusPost(
      ordinal: ordinal, mark: numbers.next(), milliseconds: moment, author: author, other: other,
      shape: shape, earlier: earlier, titlePieces: voice.title(on: subject, numbers: &numbers),
      pieces: voice.text(on: subject, to: shape == .reply ? other : nil, numbers: &numbers),
      language: voice.language, likes: numbers.draw(0...900), reposts: numbers.draw(0...120),
      replies: numbers.draw(0...40), hasImage: numbers.chance(12), isSensitive: numbers.chance(6))
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
