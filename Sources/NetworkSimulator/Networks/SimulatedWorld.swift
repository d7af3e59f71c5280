internal import TextFormats

/// What a network answers from, apart from the request.
struct SimulatedWorld: Sendable {
  let seed: UInt64
  /// The moment that the corpora lie before, in milliseconds since 1970.
  let now: Int
  /// The real clock, in milliseconds since 1970: quotas and sessions run by it.
  let clock: Int
  let credentials: SimulatedCredentials
  let corpora: CorpusCache
  /// How many sessions were begun before this request.
  let sessionNumber: Int
  /// Whether some items of a page are malformed.
  var breaksItems = false
  /// Whether texts and names try to do harm.
  var isHostile = false
  /// Whether the token of the first session has expired.
  var expiresFirstSession = false

  /// Returns what a network has for a query, newest first.
  func posts(_ terms: QueryTerms, network: String) -> [CorpusPost] {
    let corpus = corpora.corpus(network + "\n" + terms.key) {
      let authors = corpora.authors(of: network) {
        (0..<CorpusAuthor.count).map { CorpusAuthor($0, network: network, seed: seed) }
      }
      return Corpus(terms, network: network, authors: authors, seed: seed, now: now)
    }
    let posts = corpus.posts.filter(terms.chooses)
    return isHostile ? posts.map(HostileText.infect) : posts
  }

  /// Returns the items of a page as they are sent: under `broken-item` every fourth is malformed.
  func items(_ items: [JSONValue], id: String, text: [String], date: String) -> [JSONValue] {
    guard breaksItems else { return items }
    return items.enumerated().map { position, item in
      position % 4 == 1
        ? Breakage(position / 4).applied(to: item, id: id, text: text, date: date) : item
    }
  }
}
