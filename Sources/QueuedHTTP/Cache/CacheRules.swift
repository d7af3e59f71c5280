internal import FoundationEssentials

/// The rules of a private cache (RFC 9111); pure, with the time as a parameter.
enum CacheRules {
  /// The use of the cache's contents.
  enum Use: Sendable, Hashable {
    /// The stored response is the answer.
    case answer(ResponseOrigin)
    /// The stored response is the answer, and a fresh one is requested afterwards.
    case answerAndRefresh
    /// The server is asked whether the stored response has changed.
    case validate
    /// The request is sent as usual.
    case fetch
    /// The server must not be asked, and there is no usable response.
    case refuse
  }

  /// The statuses to store: those that are cacheable by default (RFC 9110, section 15.1), except partial
  /// content, redirects and rare ones.
  static let statuses: Set<Int> = [200, 203, 300, 404, 410]

  /// True if a request uses the cache.
  static func concerns(_ request: HTTPRequest) -> Bool {
    guard request.method == .get, request.body == nil, request.upload == nil,
      request.destination == .memory, request.cachePolicy != .ignore,
      !CacheDirectives(request.headers).noStore
    else { return false }
    // Partial requests, and the caller's own conditions.
    let others: Set<String> = [
      "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]
    return !request.headers.fields.contains { others.contains($0.name.lowercased()) }
  }

  /// True if a request with this method invalidates the stored responses of its URL (section 4.4).
  static func invalidates(_ method: HTTPMethod) -> Bool {
    ![.get, .head, .options, HTTPMethod(rawValue: "TRACE")].contains(method)
  }

  /// Decides how to use a stored response.
  static func use(
    of stored: StoredResponse?, for request: HTTPRequest, guesses: Bool, now: Date
  ) -> Use {
    let wish = CacheDirectives(request.headers)
    switch request.cachePolicy {
    case .ignore, .reload: return .fetch
    case .onlyCached:
      guard let stored else { return .refuse }
      let freshness = Freshness(stored, guesses: guesses, now: now)
      let isFresh = freshness.isFresh && !CacheDirectives(stored.headers).noCache
      return .answer(isFresh ? .stored : .stale)
    case .useCache: break
    }
    guard let stored else { return wish.onlyIfCached ? .refuse : .fetch }
    if let origin = origin(of: stored, wish, guesses: guesses, now: now) {
      return .answer(origin)
    }
    if wish.onlyIfCached { return .refuse }
    if request.acceptsStale, mayRefreshLater(stored, wish, guesses: guesses, now: now) {
      return .answerAndRefresh
    }
    return stored.validators == nil ? .fetch : .validate
  }

  /// The origin under which a stored response may answer without asking the server; nil if it may not.
  private static func origin(
    of stored: StoredResponse, _ wish: CacheDirectives, guesses: Bool, now: Date
  ) -> ResponseOrigin? {
    let terms = CacheDirectives(stored.headers)
    guard !terms.noCache, !wish.noCache else { return nil }
    let freshness = Freshness(stored, guesses: guesses, now: now)
    if freshness.isFresh, terms.isImmutable { return .stored }
    if let maxAge = wish.maxAge, freshness.age > Double(maxAge) { return nil }
    let left = freshness.lifetime - freshness.age
    if left > 0, left >= Double(wish.minFresh ?? 0) { return .stored }
    guard let maxStale = wish.maxStale, !terms.mustRevalidate, wish.minFresh == nil,
      maxStale == .max || -left <= Double(maxStale)
    else { return nil }
    return .stale
  }

  /// True if a stale response may be used while a fresh one is requested.
  private static func mayRefreshLater(
    _ stored: StoredResponse, _ wish: CacheDirectives, guesses: Bool, now: Date
  ) -> Bool {
    let terms = CacheDirectives(stored.headers)
    guard let window = terms.staleWhileRevalidate, !terms.noCache, !terms.mustRevalidate,
      !wish.noCache, wish.maxAge == nil, wish.minFresh == nil
    else { return false }
    return Freshness(stored, guesses: guesses, now: now).isFresh(for: window)
  }

  /// True if a stored response may replace an error.
  static func maySubstitute(
    _ stored: StoredResponse, for request: HTTPRequest, guesses: Bool, now: Date
  ) -> Bool {
    let terms = CacheDirectives(stored.headers)
    let wish = CacheDirectives(request.headers)
    guard request.acceptsStale, request.cachePolicy == .useCache, !terms.noCache,
      !terms.mustRevalidate, !wish.noCache,
      let window = wish.staleIfError ?? terms.staleIfError
    else { return false }
    return Freshness(stored, guesses: guesses, now: now).isFresh(for: window)
  }

  /// True if a stored response may take the place of a result (RFC 5861, section 4).
  static func isFailure(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    switch result {
    case .success(let response):
      [500, 502, 503, 504].contains(response.status) || response.status > 599
    case .failure(let error):
      [
        .nameLookup, .connection, .proxy, .tls, .connectTimeout, .idleTimeout, .totalTimeout,
        .brokenAnswer, .coolingDown,
      ].contains(error.code)
    }
  }

  /// The request fields by which the responses of its URL differ; nil if the response must not be stored.
  static func variantNames(
    of response: HTTPResponse, at address: String
  ) -> [String]? {
    // A response after redirects belongs to another URL.
    guard statuses.contains(response.status), response.url == address,
      !CacheDirectives(response.headers).noStore
    else { return nil }
    let names = Set(
      response.headers.values(of: "Vary").flatMap { $0.split(separator: ",") }
        .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { !$0.isEmpty })
    return names.contains("*") || names.count > 32 ? nil : names.sorted()
  }

  /// True if a response that is not stored supersedes the stored one.
  static func supersedes(_ response: HTTPResponse) -> Bool {
    response.status < 500 && ![408, 425, 429].contains(response.status)
  }
}

/// The age and the lifetime of a stored response (RFC 9111, section 4.2), in seconds.
struct Freshness: Sendable, Hashable {
  /// The lifetime that the server states, or our guess.
  var lifetime: Double
  /// The current age.
  var age: Double

  /// The seconds by which a clock that is kept right may go back.
  private static let longestAdjustment = 1.0

  /// The maximum guess: a day.
  static let longestGuess = 86_400.0

  /// - Parameter guesses: Whether the lifetime may be guessed where the server states none.
  init(_ response: StoredResponse, guesses: Bool, now: Date) {
    let headers = response.headers
    let date = headers["Date"].flatMap(HTTPDate.parse) ?? response.received
    let directives = CacheDirectives(headers)
    if let maxAge = directives.maxAge {
      lifetime = Double(maxAge)
    } else if let expires = headers["Expires"] {
      // Anything that is not a date, such as `0`, means the past.
      lifetime = HTTPDate.parse(expires).map { max(0, $0.timeIntervalSince(date)) } ?? 0
    } else if guesses, let changed = headers["Last-Modified"].flatMap(HTTPDate.parse) {
      lifetime = min(max(0, date.timeIntervalSince(changed)) / 10, Self.longestGuess)
    } else {
      lifetime = 0
    }
    let apparent = max(0, response.received.timeIntervalSince(date))
    let delay = max(0, response.received.timeIntervalSince(response.requested))
    let stated = headers["Age"].flatMap { Double($0) }.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    let resident = now.timeIntervalSince(response.received)
    // If the clock was set back, the age is unknown, unless it was only adjusted.
    age =
      resident < -Self.longestAdjustment
      ? .infinity : max(apparent, stated + delay) + max(0, resident)
  }

  var isFresh: Bool { age < lifetime }

  /// True if it is fresh, or was at most `window` seconds ago.
  func isFresh(for window: Int) -> Bool { age < lifetime + Double(window) }
}

/// The validators by which a server recognizes a response (RFC 9110, section 8.8).
struct CacheValidators: Sendable, Hashable {
  var entityTag: String?
  var lastModified: String?

  /// Reads them from a response; nil if there are none.
  init?(of headers: HTTPHeaders) {
    entityTag = headers["ETag"].flatMap { $0.isEmpty ? nil : $0 }
    lastModified = headers["Last-Modified"].flatMap { HTTPDate.parse($0) == nil ? nil : $0 }
    guard entityTag != nil || lastModified != nil else { return nil }
  }

  /// The fields that make a request conditional.
  var conditions: HTTPHeaders {
    var headers = HTTPHeaders()
    if let entityTag { headers["If-None-Match"] = entityTag }
    if let lastModified { headers["If-Modified-Since"] = lastModified }
    return headers
  }

  /// True if a 304 may be about this response: it does not have another tag.
  func areConfirmed(by answer: HTTPHeaders) -> Bool {
    guard let tag = answer["ETag"], let entityTag else { return true }
    return Self.opaque(tag) == Self.opaque(entityTag)
  }

  /// A tag as the weak comparison sees it.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}

extension StoredResponse {
  /// Its validators; nil if the server sent none.
  var validators: CacheValidators? { CacheValidators(of: headers) }

  /// Its fields, updated from a 304 (RFC 9111, section 3.2).
  func freshened(by answer: HTTPHeaders) -> HTTPHeaders {
    // Fields that describe the stored body, or the connection, are not updated.
    let kept: Set<String> = [
      "content-encoding", "content-length", "content-range", "content-type", "connection",
      "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    let news = answer.fields.filter { !kept.contains($0.name.lowercased()) }
    let names = Set(news.map { $0.name.lowercased() })
    // The date and the age are those of the latest answer.
    let old = headers.fields.filter { field in
      let name = field.name.lowercased()
      return !names.contains(name) && name != "date" && name != "age"
    }
    return HTTPHeaders(old + news)
  }
}

/// The directives of `Cache-Control` that a private cache obeys (RFC 9111, section 5.2).
///
/// Names are case-insensitive; unknown directives are ignored. An invalid duration counts as zero, and of
/// several the shortest counts, so that a malformed response is never used for too long.
private struct CacheDirectives: Sendable, Hashable {
  var noStore = false
  var noCache = false
  var mustRevalidate = false
  var isImmutable = false
  var onlyIfCached = false
  var maxAge: Int?
  var minFresh: Int?
  /// `Int.max` if any staleness is accepted.
  var maxStale: Int?
  /// The time for which a stale response may be used during a refresh (RFC 5861, section 3).
  var staleWhileRevalidate: Int?
  /// The time for which a stale response may replace an error (RFC 5861, section 4).
  var staleIfError: Int?

  /// Reads the directives of a request or a response.
  init(_ headers: HTTPHeaders) {
    let values = headers.values(of: "Cache-Control")
    for value in values {
      for directive in Self.split(value) { take(directive) }
    }
    // The older field counts only if the newer one is missing (section 5.4).
    if values.isEmpty,
      headers.values(of: "Pragma").contains(where: { $0.lowercased() == "no-cache" })
    {
      noCache = true
    }
  }

  private mutating func take(_ directive: Substring) {
    let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.trimmed(parts[0]).lowercased()
    let argument = parts.count > 1 ? Self.trimmed(parts[1]) : nil
    switch name {
    case "no-store": noStore = true
    // Field names in the directive are ignored.
    case "no-cache": noCache = true
    case "must-revalidate": mustRevalidate = true
    case "immutable": isImmutable = true
    case "only-if-cached": onlyIfCached = true
    case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(argument))
    case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument))
    case "stale-while-revalidate":
      staleWhileRevalidate = min(staleWhileRevalidate ?? .max, Self.seconds(argument))
    case "stale-if-error": staleIfError = min(staleIfError ?? .max, Self.seconds(argument))
    case "max-stale":
      maxStale = min(maxStale ?? .max, argument.map { Self.seconds($0) } ?? .max)
    default: break
    }
  }

  /// A number of seconds, at most 2^31 (section 1.2.2); 0 if invalid.
  private static func seconds(_ text: Substring?) -> Int {
    guard var text else { return 0 }
    if text.count >= 2, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return min(Int(text) ?? .max, 1 << 31)
  }

  /// The members of a list; quoted strings may contain commas.
  private static func split(_ value: String) -> [Substring] {
    var isQuoted = false
    var isEscaped = false
    return value.split { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      switch character {
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      default: break
      }
      return character == "," && !isQuoted
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = text.drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
  }
}
