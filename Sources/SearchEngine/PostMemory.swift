package import FoundationEssentials
package import SearchModel

/// Tells new posts from those that earlier runs knew, for a run that prints only new ones.
package protocol PostMemory: Sendable {
  /// Judges posts that a search has just read, in their order.
  func judge(_ posts: [Post], of search: Search) -> [PostVerdict]
}

/// The verdict of earlier runs on a post.
package struct PostVerdict: Hashable, Sendable {
  package enum Novelty: Hashable, Sendable {
    /// To be printed.
    case new
    /// Printed by an earlier run.
    case printed
    /// Older than the first run of its search.
    case old
    /// Read by a run that prints nothing of the search.
    case known
  }

  package var novelty: Novelty
  /// True if an earlier run of the search has read it.
  package var isRead: Bool
  /// True if earlier runs have read the search from this post on back.
  package var isCovered: Bool

  package init(_ novelty: Novelty, isRead: Bool = false, isCovered: Bool) {
    self.novelty = novelty
    self.isRead = isRead
    self.isCovered = isCovered
  }
}

/// A post that a search has read, with the verdict of earlier runs.
struct JudgedPost: Sendable {
  let post: Post
  let verdict: PostVerdict
  /// True if it matches the query and passes the run's filter.
  let passes: Bool

  /// True if it shows that earlier runs have read the search from here on back: a post that passes and
  /// is still to be printed does not, whoever has read it.
  var isCovered: Bool { verdict.isCovered && !(passes && verdict.novelty == .new) }
}

/// A post that a search has read and does not hold.
package struct PassedPost: Hashable, Sendable {
  package var uri: String
  package var createdAt: Date?
  /// True if the query's local terms or the run's filter left it out.
  package var isFiltered: Bool

  init(_ post: Post, isFiltered: Bool) {
    uri = post.uri
    createdAt = post.createdAt
    self.isFiltered = isFiltered
  }
}

/// The posts that a search has read and does not hold, for later runs to know them. Empty for a run
/// without a memory.
struct PassedPosts: Sendable {
  /// The most filtered posts kept: what comes first on the pages of the next run proves that it has read
  /// what follows, and that takes no more than the largest page.
  private static let mostFiltered = 200

  private(set) var all: [PassedPost] = []
  private(set) var printedByOthers: [Post] = []
  /// The number of posts that were older than the first run of the search.
  private(set) var old = 0
  /// True if new posts were dropped, whether by a cap or by a limit of the run.
  private(set) var isCut = false
  /// The date of the oldest such post that is not pinned.
  private(set) var oldestCut: Date?
  private var filtered = 0
  /// True in a run that has a memory.
  private(set) var isUsed = false

  /// Takes the posts of a page.
  ///
  /// - Parameter held: Those that the search holds from now on.
  mutating func take(_ posts: [JudgedPost], holding held: [Post]) {
    guard !posts.isEmpty else { return }
    isUsed = true
    var held = held[...]
    for judged in posts {
      let verdict = judged.verdict
      if judged.passes, let next = held.first, next.uri == judged.post.uri {
        held.removeFirst()
      } else if !judged.passes {
        guard !verdict.isRead, filtered < Self.mostFiltered else { continue }
        filtered += 1
        all.append(PassedPost(judged.post, isFiltered: true))
      } else if verdict.novelty == .new || verdict.novelty == .known {
        all.append(PassedPost(judged.post, isFiltered: false))
      } else if verdict.novelty == .old {
        old += 1
      } else if !verdict.isRead {
        printedByOthers.append(judged.post)
      }
    }
  }

  /// Takes posts that the search held, and that a cap or a limit has dropped.
  mutating func cut(_ posts: some Sequence<Post>) {
    guard isUsed else { return }
    for post in posts {
      isCut = true
      all.append(PassedPost(post, isFiltered: false))
      guard !post.isPinned, let date = post.createdAt else { continue }
      oldestCut = min(oldestCut ?? date, date)
    }
  }

  /// Notes that posts were left on the server, because nothing more was wanted.
  mutating func cutRest() { isCut = true }
}

/// The distance of a search from the posts that earlier runs have read.
///
/// The rule is the one by which a search passes a date (`ReadingFrontier`): in an exact order a page that ends with
/// such a post proves that only such posts follow; otherwise the last 20 in a row must be such posts, or as many as
/// the largest page held. Where pages cost, one such post is enough in an exact order, and 20 in another. Pinned
/// posts, those of the future and undated ones that were read prove nothing, and without an order none does.
struct Coverage: Sendable {
  private(set) var isComplete = false
  /// True if a post was read from which on back earlier runs have read the search.
  private(set) var hasBegun = false
  private var run = 0
  private var lengthOfProof = ReadingFrontier.shortestProof

  /// Takes the posts of the next page, those that filters leave out included.
  ///
  /// - Parameters:
  ///   - isPaid: Whether pages cost.
  ///   - latest: The latest date that does not count as future, in seconds since 1970.
  mutating func take(
    _ posts: [JudgedPost], order: PageOrder, isPaid: Bool, latest: Double
  ) {
    guard order != .unordered else { return }
    let telling = posts.filter { judged in
      if judged.post.isPinned { return false }
      return judged.post.createdSeconds.map { $0 <= latest } ?? !judged.verdict.isRead
    }
    hasBegun = hasBegun || telling.contains(where: \.isCovered)
    if order == .exact {
      isComplete =
        isComplete || telling.last?.isCovered == true
        || isPaid && telling.contains(where: \.isCovered)
      return
    }
    if !isPaid { lengthOfProof = max(lengthOfProof, telling.count) }
    for judged in telling { run = judged.isCovered ? run + 1 : 0 }
    // What one page has proven, a later one cannot refute: it holds posts from further back.
    isComplete = isComplete || run >= lengthOfProof
  }
}
