package import FoundationEssentials
package import QueuedHTTP

/// Reads the ways in which networks say "slow down".
package enum SlowDown {
  /// How the request goes on, by the status and the headers alone.
  ///
  /// - Parameter statuses: Those that mean "too many requests" on this network.
  package static func verdict(
    on response: HTTPResponse, now: Date, statuses: Set<Int> = [429]
  ) -> Verdict {
    switch response.status {
    case let status where statuses.contains(status):
      coolDown(until: moment(in: response.headers, now: now), now: now) ?? .coolDown(until: nil)
    // Some servers send a reset header with every response; only Retry-After speaks of trouble.
    case 503: coolDown(until: retryAfter(in: response.headers, now: now), now: now) ?? .retry
    case 408, 500, 502, 504: .retry
    case _: .done
    }
  }

  /// When the network wants to be asked again; nil when its headers do not say.
  ///
  /// `Retry-After` comes first, then the fields that name the end of the quota.
  package static func moment(in headers: HTTPHeaders, now: Date) -> Date? {
    RateLimit(headers, now: now).retryMoment
  }

  /// The moment that `Retry-After` names.
  package static func retryAfter(in headers: HTTPHeaders, now: Date) -> Date? {
    RateLimit(headers, now: now).retryAfter
  }

  /// The verdict for a moment that lies ahead; one that is past, as clocks differ, says nothing.
  private static func coolDown(until moment: Date?, now: Date) -> Verdict? {
    guard let moment, moment > now else { return nil }
    return .coolDown(until: moment)
  }
}
