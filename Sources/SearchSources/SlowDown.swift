package import FoundationEssentials
package import QueuedHTTP
internal import TextFormats

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
      coolDown(until: moment(in: response.headers, now: now), now: now)
    // A reset header stands on every answer of some servers; only Retry-After speaks of trouble.
    case 503: coolDown(until: retryAfter(in: response.headers, now: now), now: now)
    case 408, 500, 502, 504: .retry
    case _: .done
    }
  }

  /// When the network wants to be asked again; nil when its headers do not say.
  ///
  /// `Retry-After` comes first, in seconds or as a date (RFC 9110, section 10.2.3), then the headers
  /// that name the end of the quota: as ISO time, epoch seconds or seconds to go.
  package static func moment(in headers: HTTPHeaders, now: Date) -> Date? {
    if let moment = retryAfter(in: headers, now: now) { return moment }
    for name in ["x-rate-limit-reset", "ratelimit-reset", "x-ratelimit-reset"] {
      if let value = headers[name], let moment = reset(value, now: now) { return moment }
    }
    return nil
  }

  /// The moment that `Retry-After` names.
  package static func retryAfter(in headers: HTTPHeaders, now: Date) -> Date? {
    guard let value = headers["retry-after"] else { return nil }
    if let seconds = Double(value) { return soon(seconds, after: now) }
    return soon(RFC822.parse(value), after: now)
  }

  private static func reset(_ value: String, now: Date) -> Date? {
    guard let number = Double(value) else {
      return soon(RFC3339.parse(value, allowing: .missingZone), after: now)
    }
    if number >= 1e11 { return soon(EpochTime.date(seconds: number / 1000), after: now) }
    if number >= 1e9 { return soon(EpochTime.date(seconds: number), after: now) }
    return soon(number, after: now)
  }

  /// A year, in seconds; a wait beyond that says nothing.
  private static let longestWait = 31_536_000.0

  private static func soon(_ seconds: Double, after now: Date) -> Date? {
    (0...longestWait).contains(seconds) ? now.addingTimeInterval(seconds) : nil
  }

  private static func soon(_ moment: Date?, after now: Date) -> Date? {
    moment.flatMap { $0.timeIntervalSince(now) <= longestWait ? $0 : nil }
  }

  private static func coolDown(until moment: Date?, now: Date) -> Verdict {
    // A moment that is over, as clocks differ, would be no wait at all.
    guard let moment, moment > now else { return .retry }
    return .coolDown(until: moment)
  }
}
