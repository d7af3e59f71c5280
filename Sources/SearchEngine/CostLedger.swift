internal import SearchModel
internal import SearchSources

/// What the pages of a run cost, by source, and whether another one may be asked for.
///
/// What is left is shared out evenly among the searches that have not begun, in the order in which
/// they ask: by priority, then by the plan. Where a share is smaller than the smallest page, the first
/// ones get a page and the others none. What the searches did not use goes to those that want more.
struct CostLedger: Sendable {
  /// The answer to a search that wants a page.
  enum Answer: Hashable, Sendable {
    /// It may ask for this many posts; nil for as many as the page can hold.
    case granted(wanted: Int?)
    /// The bound is taken up by pages under way, which may turn out cheaper, or by searches that come
    /// first.
    case later
    /// The bound would be passed, in words; whether it was set for the run, or is the usual one.
    case refused(String, isUsual: Bool)
  }

  private struct Account: Sendable {
    var spent = 0
    /// What the pages under way may cost at most.
    var reserved = 0
    /// How many searches have not asked for their first page.
    var unbegun = 0
    /// The searches that have begun and were told to wait.
    var hungry: Set<Int> = []
    /// How many items have come, and what they were charged at, without the price of the requests.
    var items = 0
    var chargedForItems = 0

    /// What an item is likely to cost, from what has come.
    func price(_ cost: RequestCost) -> Double {
      guard items > 0 else { return Double(cost.perPost) }
      return max(Double(cost.perPost), Double(chargedForItems) / Double(items))
    }
  }

  private let bounds: CostBounds
  private var accounts: [SourceName: Account] = [:]

  init(_ bounds: CostBounds, for plan: [PlannedSearch]) {
    self.bounds = bounds
    for case .ask(let search) in plan where search.source.traits.cost != nil {
      accounts[search.source.name, default: Account()].unbegun += 1
    }
  }

  /// A search ends, or reads another one's page, without asking for its first.
  mutating func skip(_ source: any Source) {
    guard source.traits.cost != nil else { return }
    accounts[source.name]?.unbegun -= 1
  }

  /// Sets aside what a page may cost, where the source charges for it.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the first page of the search.
  ///   - mayWait: Whether anything is under way or may begin, so that asking again is of use.
  mutating func reserve(
    _ index: Int, for source: any Source, wanted: Int?, isFirst: Bool, mayWait: Bool
  ) -> Answer {
    let traits = source.traits
    guard let cost = traits.cost else { return .granted(wanted: wanted) }
    var account = accounts[source.name] ?? Account()
    defer { accounts[source.name] = account }
    let isUsual = bounds.bound(for: source.name) == nil
    let bound = bounds.bound(for: source.name) ?? cost.defaultBound
    let left = bound - account.spent - account.reserved
    if !isFirst {
      account.hungry.insert(index)
      if mayWait, account.unbegun > 0 { return .later }
    }
    let claimants = isFirst ? account.unbegun : account.hungry.count
    let size = Self.size(wanted, within: traits.pageSize)
    let share = Double(left / max(claimants, 1) - cost.perRequest)
    let price = account.price(cost)
    var granted = size
    if price > 0, Double(size) * price > share {
      granted = max(Int(max(share, 0) / price), traits.pageSize.lowerBound)
    }
    if cost.most(ofPosts: granted) > left, cost.mostPerPost > 0 {
      granted = (left - cost.perRequest) / cost.mostPerPost
    }
    guard granted >= traits.pageSize.lowerBound, cost.most(ofPosts: granted) <= left else {
      if account.reserved > 0 { return .later }
      if isFirst { account.unbegun -= 1 }
      account.hungry.remove(index)
      return .refused(
        isUsual
          ? "stopped at the usual bound of \(bound) \(cost.unit) a run, see --max-cost"
          : "a further page would cost more than \(bound) \(cost.unit) in all, see --max-cost",
        isUsual: isUsual)
    }
    if isFirst { account.unbegun -= 1 }
    account.hungry.remove(index)
    account.reserved += cost.most(ofPosts: granted)
    return .granted(wanted: granted == size ? wanted : granted)
  }

  /// Books what a page has cost in the end; nil for one that failed.
  mutating func settle(_ source: any Source, wanted: Int?, page: Page?) {
    let traits = source.traits
    guard let cost = traits.cost else { return }
    let size = Self.size(wanted, within: traits.pageSize)
    let items = page.map { $0.posts.count + $0.brokenItems } ?? 0
    // What failed is charged as a request, whether the network does so or not: a bound is a bound.
    let charged = page?.charged ?? cost.of(posts: items)
    accounts[source.name, default: Account()].reserved -= cost.most(ofPosts: size)
    accounts[source.name, default: Account()].spent += charged
    accounts[source.name, default: Account()].items += items
    accounts[source.name, default: Account()].chargedForItems += max(charged - cost.perRequest, 0)
  }

  private static func size(_ wanted: Int?, within range: ClosedRange<Int>) -> Int {
    min(max(wanted ?? range.upperBound, range.lowerBound), range.upperBound)
  }
}
