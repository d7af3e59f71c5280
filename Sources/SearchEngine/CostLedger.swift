internal import SearchModel
internal import SearchSources

/// What the pages of a run cost, by source, and whether another one may be asked for.
struct CostLedger: Sendable {
  /// What is said to a search that wants a page.
  enum Answer: Hashable, Sendable {
    /// It may ask for so many posts; nil for as many as the page can hold.
    case granted(wanted: Int?)
    /// The bound is taken up by pages under way, which may turn out cheaper.
    case later
    /// The bound would be passed, in words.
    case refused(String)
  }

  private struct Account: Sendable {
    var spent = 0
    /// What the pages under way may cost at most.
    var reserved = 0
  }

  private let bounds: CostBounds
  private var accounts: [SourceName: Account] = [:]

  init(_ bounds: CostBounds) { self.bounds = bounds }

  /// What a source's pages have cost so far.
  func spent(by source: SourceName) -> Int { accounts[source]?.spent ?? 0 }

  /// Sets aside what a page may cost, where the source charges for it and there is a bound.
  mutating func reserve(for source: any Source, wanted: Int?) -> Answer {
    let traits = source.traits
    guard let cost = traits.cost, let bound = bounds.bound(for: source.name) else {
      return .granted(wanted: wanted)
    }
    let account = accounts[source.name, default: Account()]
    let size = Self.size(wanted, within: traits.pageSize)
    let left = bound - account.spent - account.reserved
    var granted = size
    if cost.of(posts: size) > left {
      // A smaller page may still be paid for, once nothing is under way that may give some back.
      granted = cost.perPost > 0 ? (left - cost.perRequest) / cost.perPost : 0
      guard granted >= traits.pageSize.lowerBound, cost.of(posts: granted) <= left else {
        return account.reserved > 0
          ? .later
          : .refused(
            "a further page would cost more than \(bound) \(cost.unit) in all, see --max-cost")
      }
      if account.reserved > 0 { return .later }
    }
    accounts[source.name, default: Account()].reserved += cost.of(posts: granted)
    return .granted(wanted: granted == size ? wanted : granted)
  }

  /// Books what a page has cost in the end: `posts` is how many items came, or nil for a failure.
  mutating func settle(_ source: any Source, wanted: Int?, posts: Int?) {
    let traits = source.traits
    guard let cost = traits.cost, bounds.bound(for: source.name) != nil else { return }
    let reserved = cost.of(posts: Self.size(wanted, within: traits.pageSize))
    accounts[source.name, default: Account()].reserved -= reserved
    // What failed is charged as a request, whether the network does so or not: a bound is a bound.
    accounts[source.name, default: Account()].spent += cost.of(posts: posts ?? 0)
  }

  private static func size(_ wanted: Int?, within range: ClosedRange<Int>) -> Int {
    min(max(wanted ?? range.upperBound, range.lowerBound), range.upperBound)
  }
}
