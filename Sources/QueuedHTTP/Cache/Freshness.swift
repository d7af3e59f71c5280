internal import FoundationEssentials

/// How old a stored response is, and how old it may become (RFC 9111, section 4.2), in seconds.
struct Freshness: Sendable, Hashable {
  /// How long the server lets it count, or how long we guess that it would.
  var lifetime: Double
  /// How old it is by now.
  var age: Double

  /// The longest that is ever guessed: a day.
  static let longestGuess = 86_400.0

  /// - Parameter hasQuery: Whether the address has a query. For such nothing is guessed: they are
  ///   searches as a rule, and change whenever they like.
  init(_ response: StoredResponse, hasQuery: Bool, now: Date) {
    let headers = response.headers
    let date = headers["Date"].flatMap(HTTPDate.parse) ?? response.received
    let directives = CacheDirectives(headers)
    if let maxAge = directives.maxAge {
      lifetime = Double(maxAge)
    } else if let expires = headers["Expires"] {
      // What is no date, `0` above all, lies in the past.
      lifetime = HTTPDate.parse(expires).map { max(0, $0.timeIntervalSince(date)) } ?? 0
    } else if !hasQuery, let changed = headers["Last-Modified"].flatMap(HTTPDate.parse) {
      lifetime = min(max(0, date.timeIntervalSince(changed)) / 10, Self.longestGuess)
    } else {
      lifetime = 0
    }
    let apparent = max(0, response.received.timeIntervalSince(date))
    let delay = max(0, response.received.timeIntervalSince(response.requested))
    let stated = headers["Age"].flatMap { Double($0) }.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    let resident = now.timeIntervalSince(response.received)
    // A clock that was set back says nothing on how long it has been here.
    age = resident < 0 ? .infinity : max(apparent, stated + delay) + resident
  }

  var isFresh: Bool { age < lifetime }

  /// Whether it is fresh, or was no longer ago than so many seconds.
  func isFresh(for window: Int) -> Bool { age < lifetime + Double(window) }
}
