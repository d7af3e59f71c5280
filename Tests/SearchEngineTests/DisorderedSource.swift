import FoundationEssentials
import QueuedHTTP
import SearchModel
import SearchSources
import TestSupport

/// A real source whose network is less orderly than its simulator: pages of another size, pinned,
/// backdated, undated and repeated posts, and a ceiling.
///
/// It keeps what the source states of its order: where that is approximate, fewer than 20 posts in a
/// row are backdated, and where it is exact, none are.
struct DisorderedSource: Source {
  /// The disorder of its network.
  struct Disorder: Sendable {
    var pageSize: Int
    /// The maximum number of posts; nil for all.
    var ceiling: Int?
    /// Whether dates and repetitions are as they come. The network filters by date only then, as it
    /// knows nothing of the dates given here.
    var isTidy: Bool
    /// The percentage of backdated posts, if the order allows any; never twenty in a row.
    var backdated: Int
    /// The seed of everything else.
    var seed: UInt64

    init(drawing random: inout SeededRandom, ceiling: Bool) {
      pageSize = Int.random(in: 5...60, using: &random)
      self.ceiling = ceiling ? Int.random(in: 10...150, using: &random) : nil
      isTidy = Int.random(in: 0..<4, using: &random) == 0
      backdated = Int.random(in: 0...40, using: &random)
      seed = random.next()
    }
  }

  let source: any Source
  var disorder: Disorder

  private static let day = 86_400.0

  var name: SourceName { source.name }

  var traits: SourceTraits {
    var traits = source.traits
    if let ceiling = disorder.ceiling {
      (traits.ceiling, traits.credentialsLiftCeiling) = (ceiling, false)
    }
    traits.filtersByDate = traits.filtersByDate && disorder.isTidy && traits.order == .exact
    traits.pace = nil
    traits.cost = nil
    return traits
  }

  func page(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Page {
    let read = page.cursor.map { Self.place(of: $0).read } ?? 0
    var answer = try source.page(from: response, to: inner(page))
    if !disorder.isTidy { disturb(&answer, after: read, on: page.server, now: page.now) }
    let left = disorder.ceiling.map { $0 - read - answer.brokenItems } ?? .max
    if answer.posts.count >= left {
      answer.posts.removeLast(answer.posts.count - max(left, 0))
      answer.next = nil
      answer.missing = nil
    }
    answer.next = answer.next.map { next in
      Cursor(rawValue: "\(read + answer.posts.count + answer.brokenItems):\(next.rawValue)")
    }
    return answer
  }

  /// Pins, repeats and dates posts anew, each by its place among all of the search.
  private func disturb(
    _ page: inout Page, after read: Int, on server: ServerAddress, now: Date
  ) {
    let order = page.order ?? source.traits.order
    var posts: [Post] = []
    // Some networks show it on each page.
    if read == 0 || disorder.seed % 2 == 0, order != .unordered {
      posts.append(pinned(on: server, now: now))
    }
    posts += page.posts
    for index in posts.indices where !posts[index].isPinned {
      // By its identity, as one that two pages hold has one date.
      let identity = posts[index].uri.utf8.reduce(disorder.seed) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      var random = SeededRandom(seed: identity)
      let percent = Int.random(in: 0..<100, using: &random)
      let shift = Double.random(in: 0...10, using: &random) * Self.day
      if percent >= 95 {
        posts[index].createdAt = nil
      } else if order == .unordered || order == .approximate && percent < disorder.backdated {
        posts[index].createdAt = posts[index].createdAt?.addingTimeInterval(-shift)
      }
    }
    // The newest comes twice.
    page.posts = posts + posts.filter { !$0.isPinned }.prefix(1)
  }

  private func pinned(on server: ServerAddress, now: Date) -> Post {
    Post(
      id: "pinned", source: name, server: server, uri: "pinned:\(name)",
      text: "#swift is pinned",
      createdAt: now.addingTimeInterval(-Double(disorder.seed % 40) * Self.day), isPinned: true)
  }

  /// The number of posts before a page, and its cursor for the source.
  private static func place(of cursor: Cursor) -> (read: Int, inner: Cursor) {
    let parts = cursor.rawValue.split(separator: ":", maxSplits: 1)
    return (Int(parts[0]) ?? 0, Cursor(rawValue: String(parts[1])))
  }

  /// The page as requested from the source.
  private func inner(_ page: PageRequest) -> PageRequest {
    var page = page
    page.wanted = disorder.pageSize
    page.cursor = page.cursor.map { Self.place(of: $0).inner }
    if !disorder.isTidy { (page.since, page.until) = (nil, nil) }
    // Bluesky compares the end of a range with the moment at which it saw a post, and so leaves out
    // backdated ones that belong there.
    if source.traits.order == .approximate { page.until = nil }
    return page
  }

  func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    try source.request(for: inner(page))
  }

  func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    source.split(query, with: credentials)
  }

  func canBeAuthor(_ name: String) -> Bool { source.canBeAuthor(name) }

  var knowsAuthorsByName: Bool { source.knowsAuthorsByName }

  func unsupportedReason(for split: QuerySplit, with credentials: Credentials?) -> String? {
    source.unsupportedReason(for: split, with: credentials)
  }

  func interpret(_ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest) {
    source.interpret(&refusal, of: response, to: inner(page))
  }

  func pauseEnd(after response: HTTPResponse, now: Date) -> Date? {
    source.pauseEnd(after: response, now: now)
  }

  func loginRequest(to server: ServerAddress, with credentials: Credentials) -> HTTPRequest? {
    source.loginRequest(to: server, with: credentials)
  }

  func renewalRequest(to server: ServerAddress, of session: Session) -> HTTPRequest? {
    source.renewalRequest(to: server, of: session)
  }

  func session(from response: HTTPResponse, to page: PageRequest) throws(SourceFault) -> Session {
    try source.session(from: response, to: inner(page))
  }
}
