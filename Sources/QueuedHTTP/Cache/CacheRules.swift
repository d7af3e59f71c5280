internal import FoundationEssentials

/// What a private cache may do (RFC 9111); pure, with the clock handed in.
enum CacheRules {
  /// What is to be done with what the cache has.
  enum Use: Sendable, Hashable {
    /// It answers.
    case answer(ResponseOrigin)
    /// It answers, and the server is asked afterwards.
    case answerAndRefresh
    /// The server is asked whether it has changed.
    case validate
    /// The server is asked for the whole.
    case fetch
    /// The server may not be asked, and there is nothing to answer with.
    case refuse
  }

  /// The statuses that are kept: those that may be without being told (RFC 9110, section 15.1), but
  /// for parts, redirects and what only few understand.
  static let statuses: Set<Int> = [200, 203, 300, 404, 410]

  /// Whether a request asks for something that may be kept, or may have been.
  static func concerns(_ request: HTTPRequest) -> Bool {
    guard request.method == .get, request.body == nil, request.upload == nil,
      request.destination == .memory, request.cachePolicy != .ignore,
      !CacheDirectives(request.headers).noStore
    else { return false }
    // Parts, and conditions that are the caller's own business.
    let others: Set<String> = [
      "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]
    return !request.headers.fields.contains { others.contains($0.name.lowercased()) }
  }

  /// Whether an answer to a request means that what is kept of its address no longer counts
  /// (section 4.4).
  static func invalidates(_ method: HTTPMethod) -> Bool {
    ![.get, .head, .options, HTTPMethod(rawValue: "TRACE")].contains(method)
  }

  /// Decides on a request with what the cache has for it.
  static func use(
    of stored: StoredResponse?, for request: HTTPRequest, hasQuery: Bool, now: Date
  ) -> Use {
    let wish = CacheDirectives(request.headers)
    switch request.cachePolicy {
    case .ignore, .reload: return .fetch
    case .onlyCached:
      guard let stored else { return .refuse }
      let freshness = Freshness(stored, hasQuery: hasQuery, now: now)
      let isFresh = freshness.isFresh && !CacheDirectives(stored.headers).noCache
      return .answer(isFresh ? .stored : .stale)
    case .useCache: break
    }
    guard let stored else { return wish.onlyIfCached ? .refuse : .fetch }
    if let origin = origin(of: stored, wish, hasQuery: hasQuery, now: now) {
      return .answer(origin)
    }
    if wish.onlyIfCached { return .refuse }
    if request.acceptsStale, mayRefreshLater(stored, wish, hasQuery: hasQuery, now: now) {
      return .answerAndRefresh
    }
    return stored.validators == nil ? .fetch : .validate
  }

  /// As what a stored response may answer without asking the server; nil when it may not.
  private static func origin(
    of stored: StoredResponse, _ wish: CacheDirectives, hasQuery: Bool, now: Date
  ) -> ResponseOrigin? {
    let terms = CacheDirectives(stored.headers)
    guard !terms.noCache, !wish.noCache else { return nil }
    let freshness = Freshness(stored, hasQuery: hasQuery, now: now)
    if freshness.isFresh, terms.isImmutable { return .stored }
    if let maxAge = wish.maxAge, freshness.age > Double(maxAge) { return nil }
    let left = freshness.lifetime - freshness.age
    if left > 0, left >= Double(wish.minFresh ?? 0) { return .stored }
    guard let maxStale = wish.maxStale, !terms.mustRevalidate, wish.minFresh == nil,
      maxStale == .max || -left <= Double(maxStale)
    else { return nil }
    return .stale
  }

  /// Whether a stored response that is no longer fresh may be used while it is asked for anew.
  private static func mayRefreshLater(
    _ stored: StoredResponse, _ wish: CacheDirectives, hasQuery: Bool, now: Date
  ) -> Bool {
    let terms = CacheDirectives(stored.headers)
    guard let window = terms.staleWhileRevalidate, !terms.noCache, !terms.mustRevalidate,
      !wish.noCache, wish.maxAge == nil, wish.minFresh == nil
    else { return false }
    return Freshness(stored, hasQuery: hasQuery, now: now).isFresh(for: window)
  }

  /// Whether a stored response may be used in place of an error.
  static func maySubstitute(
    _ stored: StoredResponse, for request: HTTPRequest, hasQuery: Bool, now: Date
  ) -> Bool {
    let terms = CacheDirectives(stored.headers)
    let wish = CacheDirectives(request.headers)
    guard request.acceptsStale, request.cachePolicy == .useCache, !terms.noCache,
      !terms.mustRevalidate, !wish.noCache,
      let window = wish.staleIfError ?? terms.staleIfError
    else { return false }
    return Freshness(stored, hasQuery: hasQuery, now: now).isFresh(for: window)
  }

  /// Whether a stored response may take the place of a result (RFC 5861, section 4).
  static func isFailure(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    switch result {
    case .success(let response): [500, 502, 503, 504].contains(response.status)
    case .failure(let error):
      [
        .nameLookup, .connection, .proxy, .tls, .connectTimeout, .idleTimeout, .totalTimeout,
        .brokenAnswer, .coolingDown,
      ].contains(error.code)
    }
  }

  /// The fields of the request by which responses of its address differ; nil where the answer must
  /// not be kept.
  static func variantNames(
    of response: HTTPResponse, to request: HTTPRequest, at address: String
  ) -> [String]? {
    // An answer after redirects is that of another address.
    guard statuses.contains(response.status), response.url == address,
      !CacheDirectives(response.headers).noStore
    else { return nil }
    let names = Set(
      response.headers.values(of: "Vary").flatMap { $0.split(separator: ",") }
        .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }.filter { !$0.isEmpty })
    return names.contains("*") || names.count > 32 ? nil : names.sorted()
  }

  /// Whether a response that is not kept means that what was kept before is no more.
  static func supersedes(_ response: HTTPResponse) -> Bool {
    response.status < 500 && ![408, 425, 429].contains(response.status)
  }
}

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

/// By what a server can tell whether a response is still the same (RFC 9110, section 8.8).
struct CacheValidators: Sendable, Hashable {
  var entityTag: String?
  var lastModified: String?

  /// Reads them off a response; nil where there is none.
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

  /// Whether a 304 may be about the response that these were read off: it names no other tag.
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
  /// What the server is asked with whether it has changed; nil where it said nothing to ask with.
  var validators: CacheValidators? { CacheValidators(of: headers) }

  /// The response with the fields of a 304 in place of its own (RFC 9111, section 3.2).
  func freshened(by answer: HTTPHeaders) -> HTTPHeaders {
    // What describes the body that is kept, or the connection, is not the answer's to say.
    let kept: Set<String> = [
      "content-encoding", "content-length", "content-range", "content-type", "connection",
      "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    let news = answer.fields.filter { !kept.contains($0.name.lowercased()) }
    let names = Set(news.map { $0.name.lowercased() })
    // Date and age are those of the answer that brought them.
    let old = headers.fields.filter { field in
      let name = field.name.lowercased()
      return !names.contains(name) && name != "date" && name != "age"
    }
    return HTTPHeaders(old + news)
  }
}
