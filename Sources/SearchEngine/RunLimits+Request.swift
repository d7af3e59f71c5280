internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

extension RunLimits {
  /// The page that a search is asked for.
  func page(_ reader: PageJob.Reader, at cursor: Cursor?, now: Date) -> PageRequest {
    let search = reader.search
    return PageRequest(
      search.split, server: search.server, since: since, until: until,
      wanted: reader.wanted, cursor: cursor, credentials: search.credentials,
      credentialAdvice: search.endpoint.credentialAdvice, now: now)
  }

  /// How long a lane cools down when its server says "slow down" and not until when, and the longest
  /// wait that is kept unless another one is set.
  private static let usualWait = Duration.seconds(60)

  /// Bounds a request as the run's requests are bounded, a login among them.
  func apply(to request: inout HTTPRequest) {
    request.timeouts = Timeouts(
      connect: min(timeout, .seconds(10)), idle: timeout, total: timeout)
    // A wait that is allowed must fit in beside the attempts.
    let budget = Self.usualWait + max(maxWait ?? .zero, Self.usualWait)
    request.retries = RetryPolicy(limit: retries, budget: min(longest ?? budget, budget))
    request.retries.retriesProbes = false
    request.bounds = ResponseBounds(bodyBytes: 32 << 20)
  }

  /// What a source's verdict means in this run, which does not wait as long as any server asks it to.
  func bounded(_ verdict: Verdict, now: Date) -> Verdict {
    switch verdict {
    case .coolDown(let until?):
      return until.timeIntervalSince(now) <= (maxWait ?? Self.usualWait) / .seconds(1)
        ? verdict : .done
    case .coolDown(nil):
      guard let maxWait, maxWait >= Self.usualWait else { return .done }
      return .coolDown(until: now.addingTimeInterval(Self.usualWait / .seconds(1)))
    case .done, .retry, .retryAfter, .doneThenCoolDown: return verdict
    }
  }
}
