internal import Synchronization
internal import TextFormats

/// Everything that a network's response depends on, besides the request.
struct SimulatedWorld: Sendable {
  let seed: UInt64
  /// The end of all corpora, in milliseconds since 1970.
  let now: Int
  /// The real clock, in milliseconds since 1970, for quotas and sessions.
  let clock: Int
  let credentials: SimulatedCredentials
  let corpora: CorpusCache
  /// The moment, in milliseconds since 1970, up to which posts have been written; nil for all of them.
  var written: Int?
  /// True if some posts reach the networks of several servers late.
  var hasLatecomers = false
  /// The number of sessions opened before this request.
  let sessionNumber: Int
  /// The number of requests before this one that were equal, or moved the same state of the network.
  var repetition = 0
  /// True if some items of a page are malformed.
  var breaksItems = false
  /// True if texts and names are hostile.
  var isHostile = false
  /// True if the token of the first session has expired.
  var expiresFirstSession = false
  /// A fault in the order of pages; nil for none.
  var paging: PagingFault?

  /// Returns a network's posts for a query, newest first.
  func posts(_ terms: QueryTerms, network: String) -> [CorpusPost] {
    let corpus = corpora.corpus(network + "\n" + terms.key) {
      let authors = corpora.authors(of: network) {
        (0..<CorpusAuthor.count).map { CorpusAuthor($0, network: network, seed: seed) }
      }
      return Corpus(terms, network: network, authors: authors, seed: seed, now: now)
    }
    let posts = corpus.posts.filter { post in
      terms.chooses(post)
        && written.map { post.milliseconds + delay(of: post, on: network) <= $0 } ?? true
    }
    switch paging {
    case .errorBesideEmpty: return []
    case .oneMoment: return PagingFault.crowding(posts)
    default: return isHostile ? posts.map(HostileText.infect) : posts
    }
  }

  private static let latecomers: Set<String> = ["bluesky", "mastodon", "misskey", "lemmy"]

  /// The milliseconds from the writing of a post to its arrival.
  private func delay(of post: CorpusPost, on network: String) -> Int {
    guard hasLatecomers, Self.latecomers.contains(network), post.ordinal % 6 == 1 else { return 0 }
    return (post.ordinal / 6 * 7 % 20 + 1) * 3_600_000
  }

  /// Returns the items of a page; with the fault `broken-item` every fourth is malformed.
  func items(_ items: [JSONValue], id: String, text: [String], date: String) -> [JSONValue] {
    guard breaksItems else { return items }
    return items.enumerated().map { position, item in
      position % 4 == 1
        ? Breakage(position / 4).applied(to: item, id: id, text: text, date: date) : item
    }
  }
}

/// A bounded cache of corpora: creating one costs more than answering from it.
final class CorpusCache: Sendable {
  private struct Contents {
    var corpora: [String: Corpus] = [:]
    var order: [String] = []
    var authors: [String: [CorpusAuthor]] = [:]
  }

  private let contents = Mutex(Contents())
  private let bound: Int

  init(bound: Int = 256) { self.bound = bound }

  /// Returns the corpus for `key`, creating it if necessary.
  func corpus(_ key: String, make: () -> Corpus) -> Corpus {
    if let kept = contents.withLock({ $0.corpora[key] }) { return kept }
    let made = make()
    return contents.withLock {
      if let kept = $0.corpora[key] { return kept }
      if $0.order.count == bound { $0.corpora[$0.order.removeFirst()] = nil }
      $0.order.append(key)
      $0.corpora[key] = made
      return made
    }
  }

  /// Returns the authors of a network, creating them if necessary.
  func authors(of network: String, make: () -> [CorpusAuthor]) -> [CorpusAuthor] {
    if let kept = contents.withLock({ $0.authors[network] }) { return kept }
    let made = make()
    contents.withLock { $0.authors[network] = made }
    return made
  }
}

/// Texts made to harm whoever prints them as they are.
enum HostileText {
  static let snippets = [
    "\u{1B}[31mred\u{1B}[0m", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;owned\u{7}",
    "\u{1B}]8;;http://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\", "\u{9B}31m",
    "\u{9D}52;c;b3du\u{9C}",
    "\u{202E}gpj.exe\u{202C}", "\u{2066}hidden\u{2069}", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "=HYPERLINK(\"http://evil.example\",\"x\")",
    "+1+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd", "-2+3", "\u{8}\u{8}\u{8}back", "carriage\rreturn", "bell\u{7}", "del\u{7F}",
    "| pipe | `code` | [x](javascript:alert(1))", "```\n::error::owned", "&amp;lt;b&amp;gt;",
    "%s%n%x",
    "zero\u{200B}width\u{FEFF}", "Z\u{351}\u{36B}\u{343}\u{36A}a\u{36C}lgo", "tab\tand\u{2028}line",
  ]
  static let links = [
    "javascript:alert(1)", "https://evil.example/\u{1B}[31m", "https://user:secret@evil.example/",
    "data:text/html,<script>1</script>", "https://evil.example/\"><b>",
  ]

  /// Returns the post with such texts in its name, text and links; its query's words stay.
  static func infect(_ post: CorpusPost) -> CorpusPost {
    var post = post
    let first = snippets[post.ordinal % snippets.count]
    post.author.name = snippets[(post.ordinal + 7) % snippets.count]
    post.pieces = post.pieces.map { piece in
      guard case .link = piece, post.ordinal % 3 == 0 else { return piece }
      return .link(links[post.ordinal / 3 % links.count])
    }
    post.titlePieces.insert(.words(first + " "), at: 0)
    post.pieces.insert(.words(first + " "), at: 0)
    return post
  }
}

/// The ways in which an item can be malformed.
enum Breakage: CaseIterable {
  case null, number, emptyObject, missingID, textIsObject, dateIsNonsense, idIsNull, array

  /// Creates the way for a turn, in rotation.
  init(_ turn: Int) { self = Self.allCases[turn % Self.allCases.count] }

  /// Returns a broken copy of an item; the keys are those of its id, text and date.
  func applied(to item: JSONValue, id: String, text: [String], date: String) -> JSONValue {
    switch self {
    case .null: .null
    case .number: .number("17")
    case .emptyObject: .object([])
    case .missingID: changing([id], to: nil, in: item)
    case .textIsObject: changing(text, to: .object([JSONMember("text", .number("1e3"))]), in: item)
    case .dateIsNonsense: changing([date], to: .string("the day before yesterday"), in: item)
    case .idIsNull: changing([id], to: .null, in: item)
    case .array: .array([item])
    }
  }

  private func changing(_ keys: [String], to value: JSONValue?, in item: JSONValue) -> JSONValue {
    guard case .object(let members) = item else { return item }
    return .object(
      members.compactMap { member in
        guard keys.contains(member.key) else { return member }
        return value.map { JSONMember(member.key, $0) }
      })
  }
}
