public import FoundationEssentials

/// The quota in a response's headers: its size, how much is left, and when it resets.
///
/// Reads all common formats, so that a `Judge` can decide when to send the next request:
///
/// | fields | formats |
/// | --- | --- |
/// | `Retry-After` | seconds from now, or an HTTP date (RFC 9110, section 10.2.3) |
/// | `X-RateLimit-Limit`, `-Remaining`, `-Reset`, also spelled `x-rate-limit-` | the reset as an ISO time, an HTTP date, epoch seconds or milliseconds, or seconds from now |
/// | `RateLimit-Limit`, `-Remaining`, `-Reset` | the same; the limit perhaps followed by its window (`100, 100;w=60`) |
/// | `RateLimit: limit=100, remaining=50, reset=30` | [drafts 3 to 7](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/07/) |
/// | `RateLimit: "default";r=50;t=30` with `RateLimit-Policy: "default";q=100;w=60` | drafts since 8; of several quotas the one with the least left |
/// | `X-RateLimit-Reset-After` | seconds from now |
/// | `X-RateLimit-Retry-After` | as `-Reset`: Mbin sends epoch seconds |
/// | `X-Rate-Limit-Interval` | the length of the window, `1s` or `1`: [Crossref](https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/) names no reset |
///
/// Numbers may have a fraction. Values that are negative, not numbers or more than a year ahead are
/// ignored; dates may be in the past, because clocks differ.
public struct RateLimit: Sendable, Hashable {
  /// The size of the quota.
  public var limit: Double?
  /// The part of the quota that is left.
  public var remaining: Double?
  /// The time at which the quota resets.
  public var reset: Date?
  /// True if `reset` was stated as a date without a fraction of a second. Many servers cut it off, so
  /// that the quota resets up to a second later.
  public private(set) var isResetInWholeSeconds = false
  /// The time in `Retry-After`.
  public var retryAfter: Date?
  /// The end of a window that begins now, where only its length is stated.
  private var windowEnd: Date?

  /// Reads the quota from a response.
  ///
  /// - Parameters:
  ///   - headers: The fields of the response.
  ///   - now: The current time.
  public init(_ headers: HTTPHeaders, now: Date) {
    retryAfter = headers["Retry-After"].flatMap { Self.retryAfter($0, now: now) }
    let current = headers["RateLimit"].flatMap { RateLimitField($0, now: now) }
    limit = Self.number("Limit", in: headers) ?? current?.limit
    remaining = Self.number("Remaining", in: headers) ?? current?.remaining
    let stated = Self.reset(in: headers, now: now)
    reset = stated?.moment ?? current?.reset
    isResetInWholeSeconds = stated.map { $0.isDate && $0.moment.isInWholeSeconds } ?? false
    windowEnd = Self.interval(in: headers).flatMap {
      now.addingTimeInterval($0, within: Self.longestWait)
    }
    if limit == nil, let policy = headers["RateLimit-Policy"] {
      limit = RateLimitField.quota(of: current?.policy, in: policy)
    }
  }

  /// True if the quota is used up.
  public var isSpent: Bool { remaining.map { $0 < 1 } ?? false }

  /// The time at which a refused request can be sent again: that in `Retry-After`, or else the reset of
  /// the quota, a second later if it was stated in whole seconds; without both, the end of a window.
  public var retryMoment: Date? {
    retryAfter ?? reset.map { isResetInWholeSeconds ? $0.addingTimeInterval(1) : $0 } ?? windowEnd
  }

  /// Returns the time at which a quota resets that a response calls used up; nil while some of it is left.
  package static func resetOfSpentQuota(_ headers: HTTPHeaders, now: Date) -> Date? {
    guard headers.mayName(word) else { return nil }
    let left =
      number("Remaining", in: headers)
      ?? headers["RateLimit"].flatMap { RateLimitField($0, now: now)?.remaining }
    guard let left, left < 1 else { return nil }
    return RateLimit(headers, now: now).retryMoment
  }

  /// A year in seconds; longer waits are ignored.
  static let longestWait = 31_536_000.0
  /// Longer values are neither numbers nor dates.
  private static let longestValue = 256

  /// A part of the name of every field about a quota.
  private static let word = Array("limit".utf8)
  private static let prefixes = ["X-Rate-Limit-", "RateLimit-", "X-RateLimit-"]

  private static func retryAfter(_ value: String, now: Date) -> Date? {
    guard !value.hasPrefix("-") else { return nil }
    return retrySeconds(value, now: now).flatMap {
      now.addingTimeInterval($0, within: longestWait)
    }
  }

  /// The seconds in a `Retry-After`, or until its date; negative if the date is past.
  static func retrySeconds(_ value: String, now: Date) -> Double? {
    guard value.utf8.count <= longestValue else { return nil }
    if value.hasPrefix("-") { return number(String(value.dropFirst())).map { -$0 } }
    return number(value) ?? HTTPDate.parse(value)?.timeIntervalSince(now)
  }

  private static func number(_ part: String, in headers: HTTPHeaders) -> Double? {
    for prefix in prefixes {
      // The window may follow: `100, 100;w=60`.
      let value = headers[prefix + part]?.prefix(longestValue).prefix { $0 != "," && $0 != ";" }
      if let number = value.flatMap({ number(String($0)) }) { return number }
    }
    return nil
  }

  /// The length of the quota's window in seconds.
  private static func interval(in headers: HTTPHeaders) -> Double? {
    for prefix in prefixes {
      guard let value = headers[prefix + "Interval"]?.prefix(longestValue) else { continue }
      return number(String(value.hasSuffix("s") ? value.dropLast() : value))
    }
    return nil
  }

  private static func reset(
    in headers: HTTPHeaders, now: Date
  ) -> (moment: Date, isDate: Bool)? {
    let others = ["X-RateLimit-Reset-After", "X-RateLimit-Retry-After"]
    for name in prefixes.map({ $0 + "Reset" }) + others {
      guard let value = headers[name], let moment = moment(value, now: now) else { continue }
      return (moment, isDate: number(value).map { $0 >= leastEpochTime } ?? true)
    }
    return nil
  }

  /// Numbers far below today's epoch time count from now.
  private static let leastEpochTime = 1e9

  /// Reads a date in any of the formats.
  static func moment(_ value: String, now: Date) -> Date? {
    guard value.utf8.count <= longestValue else { return nil }
    let moment: Date?
    if let number = number(value) {
      // Numbers far above today's epoch time are milliseconds.
      if number < leastEpochTime { return now.addingTimeInterval(number, within: longestWait) }
      moment = Date(timeIntervalSince1970: number < 1e11 ? number : number / 1000)
    } else if value.utf8.dropFirst(10).first == UInt8(ascii: "T") {
      // Some servers omit the zone and mean UTC.
      moment =
        (try? Date(value, strategy: .iso8601)) ?? (try? Date(value + "Z", strategy: .iso8601))
    } else {
      moment = HTTPDate.parse(value)
    }
    return moment.flatMap { $0.isSensible(seenFrom: now) ? $0 : nil }
  }

  /// A non-negative decimal number, but not `nan` or `0x10`.
  static func number(_ text: String) -> Double? {
    let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x09 }
    guard let first = digits.first, (0x30...0x39).contains(first),
      digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(String(decoding: digits, as: UTF8.self))
  }
}

extension Date {
  fileprivate func addingTimeInterval(_ seconds: Double, within bound: Double) -> Date? {
    seconds <= bound ? addingTimeInterval(seconds) : nil
  }

  fileprivate var isInWholeSeconds: Bool {
    timeIntervalSince1970 == timeIntervalSince1970.rounded()
  }

  /// True if it is at most a year ahead.
  fileprivate func isSensible(seenFrom now: Date) -> Bool {
    timeIntervalSince(now) <= RateLimit.longestWait
  }
}

/// The `RateLimit` field of the IETF drafts, in both of its formats.
struct RateLimitField {
  var limit: Double?
  var remaining: Double?
  var reset: Date?
  /// The name of the quota, without its quotation marks.
  var policy: String?

  /// Longer values are truncated.
  private static let longestValue = 1024

  /// Reads `limit=100, remaining=50, reset=30` or `"default";r=50;t=30`; nil for anything else.
  init?(_ value: String, now: Date) {
    let items = Self.items(of: value)
    let isDictionary = items.contains { item in
      item.keys.contains { ["limit", "remaining", "reset"].contains($0) }
    }
    if isDictionary {
      for item in items {
        limit = limit ?? item["limit"].flatMap(RateLimit.number)
        remaining = remaining ?? item["remaining"].flatMap(RateLimit.number)
        reset = reset ?? item["reset"].flatMap { RateLimit.moment($0, now: now) }
      }
      return
    }
    // Several quotas apply at once: the one with the least left counts.
    var isFound = false
    for item in items {
      guard let left = item["r"].flatMap(RateLimit.number) else { continue }
      if isFound, let remaining, remaining <= left { continue }
      isFound = true
      remaining = left
      reset = item["t"].flatMap { RateLimit.moment($0, now: now) }
      policy = item[""]
    }
    if !isFound { return nil }
  }

  /// The size in a policy: `"default";q=100;w=60`, or `100;w=60` in older drafts.
  static func quota(of name: String?, in value: String) -> Double? {
    let items = items(of: value)
    let meant = name.flatMap { name in items.first { $0[""] == name } } ?? items.first
    return (meant?["q"] ?? meant?[""]).flatMap(RateLimit.number)
  }

  /// The members of a list with their parameters; the value before them has the key "".
  private static func items(of value: String) -> [[String: String]] {
    value.prefix(longestValue).split(separator: ",").map { member in
      var item: [String: String] = [:]
      for (index, part) in member.split(separator: ";").enumerated() {
        let sides = part.split(separator: "=", maxSplits: 1).map { side in
          String(side.filter { $0 != " " && $0 != "\t" && $0 != "\"" })
        }
        guard let name = sides.first else { continue }
        if sides.count == 2 {
          item[name.lowercased()] = sides[1]
        } else if index == 0 {
          item[""] = name
        }
      }
      return item
    }
  }
}
