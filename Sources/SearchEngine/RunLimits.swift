package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import SearchSources

/// The bounds of a run, which apply to all its searches.
package struct RunLimits: Sendable {
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// The number of concurrent transfers on one lane.
  package var perLane: Int
  /// The maximum duration of one transfer.
  package var timeout: Duration
  /// Retries of a request after a temporary failure.
  package var retries: Int
  /// The maximum duration of the run; nil for no limit.
  package var longest: Duration?
  /// The longest wait that a server may ask for; nil for one minute, or no wait if the server does not
  /// state its length.
  package var maxWait: Duration?
  /// The maximum number of pages of one search; nil for the default of its source.
  package var pages: Int?
  /// The number of newest posts wanted; nil for all.
  package var newest: Int?
  /// The time that searches wait for others that have not answered, once half of all have, if only the
  /// newest posts are wanted.
  package var patience: Duration
  /// The cost bounds on networks that charge for requests.
  package var costs: CostBounds
  /// True if posts that share a link count as one, because they will be joined.
  package var joinsByLink: Bool
  /// True if posts without a date are kept if `since` or `until` is set.
  package var keepsUndated: Bool
  /// The filter for all results; posts that it removes do not count against caps.
  package var filter: PostFilter

  package init(
    since: Date? = nil, until: Date? = nil, perLane: Int = 4, timeout: Duration = .seconds(20),
    retries: Int = 2, longest: Duration? = nil, maxWait: Duration? = nil, pages: Int? = nil,
    newest: Int? = nil, patience: Duration = .milliseconds(500),
    costs: CostBounds = CostBounds(), joinsByLink: Bool = false, keepsUndated: Bool = false,
    filter: PostFilter = PostFilter()
  ) {
    self.since = since
    self.until = until
    self.perLane = perLane
    self.timeout = timeout
    self.retries = retries
    self.longest = longest
    self.maxWait = maxWait
    self.pages = pages
    self.newest = newest
    self.patience = patience
    self.costs = costs
    self.joinsByLink = joinsByLink
    self.keepsUndated = keepsUndated
    self.filter = filter
  }

  /// True if the run samples each search instead of reading everything up to a bound.
  var isSample: Bool { newest == nil && since == nil }

  /// Returns whether a search that ends although there is more has returned less than the run wants.
  func asksForMore(than search: Search) -> Bool { !isSample || !search.isCapDefault }

  /// The maximum number of pages of a search. There is always a bound, as a guard against endless
  /// cursors, and a low one if pages cost money or are not sorted by date, except in the windows of a backfill.
  func mostPages(of search: Search, order: PageOrder) -> Int {
    let mayBeMany =
      search.readsWindows || search.endpoint.traits.cost == nil && order != .unordered
    return pages ?? (mayBeMany ? 1000 : 10)
  }

  /// A page of a search.
  func page(_ reader: PageJob.Reader, at cursor: Cursor?, now: Date) -> PageRequest {
    let search = reader.search
    return PageRequest(
      search.split, server: search.server, since: first(of: search, now: now), until: until,
      wanted: reader.wanted, cursor: cursor, pagesBefore: reader.pagesBefore,
      itemsBefore: reader.itemsBefore, largestBefore: reader.largestBefore,
      credentials: search.credentials, credentialAdvice: search.endpoint.credentialAdvice,
      addressVariable: search.endpoint.addressVariable, filter: filter, now: now)
  }

  /// The date from which a search is asked for posts; nil for all.
  private func first(of search: Search, now: Date) -> Date? {
    guard let first = since ?? gap(before: now, of: search) else { return nil }
    return search.lookBackTo.map { min($0, first) } ?? first
  }

  /// The start of the gap that earlier runs left, if the network can be asked for that alone.
  ///
  /// A little more is requested, because posts arrive late. A network that reaches back only some days may
  /// refuse an older date.
  private func gap(before now: Date, of search: Search) -> Date? {
    let traits = search.endpoint.traits
    guard traits.filtersByDate, traits.order == .exact,
      let begin = search.readUpTo?.addingTimeInterval(-traits.lateness),
      traits.earliest(at: now).map({ begin > $0 }) ?? true
    else { return nil }
    return begin
  }

  /// Returns whether a post is within the run's dates.
  package func hold(_ post: Post) -> Bool {
    post.createdAt.map { $0.isWithin(since: since, until: until) }
      ?? (keepsUndated || since == nil && until == nil)
  }

  /// The cool-down of a lane whose server does not state one, and the longest wait by default.
  private static let usualWait = Duration.seconds(60)

  /// Puts a request on the lane of its search, with the search's priority and the run's bounds.
  func prepare(_ request: inout HTTPRequest, of search: Search) {
    request.lane = search.lane
    request.group = search.lane.group
    request.priority = search.priority
    // What status 303 leads to is requested without the query.
    if request.body != nil { request.onRedirect = { $0.status == 303 ? .stop : .follow } }
    apply(to: &request)
  }

  /// The largest body of a response that is taken, in bytes.
  package static let largestResponse = 32 << 20

  /// The timeouts of a request: ten seconds at most for a connection, and all of it for the rest.
  package static func timeouts(_ timeout: Duration) -> Timeouts {
    Timeouts(connect: min(timeout, .seconds(10)), idle: timeout, total: timeout)
  }

  /// Applies the run's bounds to a request, which may be a login.
  func apply(to request: inout HTTPRequest) {
    request.timeouts = Self.timeouts(timeout)
    // The budget covers the longest allowed wait and the attempts.
    let budget = Self.usualWait + max(maxWait ?? .zero, Self.usualWait)
    // Searches that are sent by POST change nothing either, nor does a login.
    request.retries = RetryPolicy(
      limit: retries, budget: min(longest ?? budget, budget),
      methods: RetryPolicy.idempotentMethods.union([.post]))
    request.retries.retriesProbes = false
    request.keepsMethod = true
    request.bounds = ResponseBounds(bodyBytes: Self.largestResponse)
  }

  /// Returns whether the run waits until a moment, if a server asks for that.
  func allows(waitUntil moment: Date, from now: Date) -> Bool {
    let most = maxWait ?? Self.usualWait
    return moment.timeIntervalSince(now) <= min(most, longest ?? most) / .seconds(1)
  }

  /// A source's verdict, limited by the longest wait that the run allows.
  ///
  /// A lane that is asked for a longer one is held until the run has ended its other searches: which
  /// requests were under way then does not depend on how fast that is.
  func bounded(_ verdict: Verdict, on response: HTTPResponse, now: Date) -> Verdict {
    switch verdict {
    case .retry:
      let wait = RateLimit(response.headers, now: now).retryAfter
      return wait.map { allows(waitUntil: $0, from: now) } ?? true ? verdict : .done
    case .coolDown(let until?), .extendCoolDown(let until), .doneThenCoolDown(let until):
      return allows(waitUntil: until, from: now) ? verdict : hold(until: until, now: now)
    case .coolDown(nil):
      let usual = now.addingTimeInterval(Self.usualWait / .seconds(1))
      guard let maxWait, maxWait >= Self.usualWait else { return hold(until: usual, now: now) }
      return .coolDown(until: usual)
    case .done, .retryAfter: return verdict
    }
  }

  /// Holds a lane for no longer than its waiting requests have time.
  private func hold(until moment: Date, now: Date) -> Verdict {
    let longest = min(Self.usualWait, self.longest ?? Self.usualWait)
    return .doneThenCoolDown(until: min(moment, now.addingTimeInterval(longest / .seconds(1))))
  }
}
