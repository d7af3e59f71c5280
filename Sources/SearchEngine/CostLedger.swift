internal import SearchModel
internal import SearchSources

/// The costs of a run's pages by source, and the decision on further pages.
///
/// The remaining budget is divided evenly among the searches that have not begun, in the order of
/// their requests: by priority, then by the plan. If a share is smaller than the smallest page, the
/// first searches get a page and the others none. Unused shares go to searches that want more.
struct CostLedger: Sendable {
  /// The reply to a search that wants a page.
  enum Answer: Hashable, Sendable {
    /// It may request this many posts; nil for a full page.
    case granted(wanted: Int?)
    /// Not yet: pages in progress, which may turn out cheaper, or earlier searches use up the bound.
    case later
    /// The page would exceed the bound: the reason for people, and whether the bound is the default.
    case refused(String, isDefault: Bool)
  }

  private struct Account: Sendable {
    var spent = 0
    /// The maximum cost of the pages in progress.
    var reserved = 0
    /// The number of searches without a first page.
    var unbegun = 0
    /// The searches that have begun and wait for a further page.
    var waiting: Set<Int> = []
    /// The number of items received, and their cost without the price of requests.
    var items = 0
    var chargedForItems = 0

    /// The likely cost of an item, judging by those received.
    func price(_ cost: RequestCost) -> Double {
      guard items > 0 else { return Double(cost.perPost) }
      return max(Double(cost.perPost), Double(chargedForItems) / Double(items))
    }
  }

  private let bounds: CostBounds
  private var accounts: [SourceName: Account] = [:]

  init(_ bounds: CostBounds, for plan: [PlannedSearch]) {
    self.bounds = bounds
    for case .ask(let search) in plan where search.endpoint.traits.cost != nil {
      let name = search.source.name
      accounts[name, default: Account(spent: bounds.spent[name] ?? 0)].unbegun += 1
    }
  }

  /// The costs by source, with those that counted from the beginning.
  var spent: [SourceName: Int] { accounts.mapValues(\.spent) }

  /// The same with the most that the pages in progress may cost.
  var mostSpent: [SourceName: Int] { accounts.mapValues { $0.spent + $0.reserved } }

  /// Notes that a search ends, or reads another one's page, without requesting its first.
  mutating func skip(_ source: any Source) {
    guard source.traits.cost != nil else { return }
    accounts[source.name]?.unbegun -= 1
  }

  /// Reserves the maximum cost of a page if the source charges for it.
  ///
  /// - Parameters:
  ///   - isFirst: Whether it is the first page of the search.
  ///   - mayWait: Whether other pages are in progress or may begin, so that asking again makes sense.
  mutating func reserve(
    _ index: Int, for source: any Source, wanted: Int?, isFirst: Bool, mayWait: Bool
  ) -> Answer {
    let traits = source.traits
    guard let cost = traits.cost else { return .granted(wanted: wanted) }
    var account = accounts[source.name] ?? Account()
    defer { accounts[source.name] = account }
    let isDefault = bounds.bound(for: source.name) == nil
    let bound = bounds.bound(for: source.name) ?? cost.defaultBound
    let left = bound - account.spent - account.reserved
    if !isFirst {
      account.waiting.insert(index)
      if mayWait, account.unbegun > 0 { return .later }
    }
    let claimants = isFirst ? account.unbegun : account.waiting.count
    let size = PageRequest.size(wanted, within: traits.pageSize)
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
      account.waiting.remove(index)
      let most = cost.most(ofPosts: traits.pageSize.lowerBound)
      let page = isFirst ? "a page, which may cost \(most)," : "another page"
      return .refused(
        isDefault
          ? "stopped at the default bound of \(bound) \(cost.unit) per \(bounds.period) (see: --max-cost)"
          : "\(page) could exceed the bound of \(bound) \(cost.unit) (see: --max-cost)",
        isDefault: isDefault)
    }
    if isFirst { account.unbegun -= 1 }
    account.waiting.remove(index)
    account.reserved += cost.most(ofPosts: granted)
    return .granted(wanted: granted == size ? wanted : granted)
  }

  /// Notes the actual cost of a page; nil for one that failed.
  mutating func settle(_ source: any Source, wanted: Int?, page: Page?) {
    let items = page.map { $0.posts.count + $0.brokenItems } ?? 0
    settle(source, wanted: wanted, items: items, charged: page?.charged)
  }

  /// Notes the actual cost of a page of a number of items; nil for what that number usually costs.
  mutating func settle(_ source: any Source, wanted: Int?, items: Int, charged: Int?) {
    let traits = source.traits
    guard let cost = traits.cost else { return }
    let size = PageRequest.size(wanted, within: traits.pageSize)
    // Failures count as requests, even if the network does not charge for them.
    let charged = charged ?? cost.of(posts: items)
    var account = accounts[source.name] ?? Account()
    account.reserved -= cost.most(ofPosts: size)
    account.spent += charged
    account.items += items
    account.chargedForItems += max(charged - cost.perRequest, 0)
    accounts[source.name] = account
  }
}
