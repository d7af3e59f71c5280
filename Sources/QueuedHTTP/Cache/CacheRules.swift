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

  /// Whether a request ended in a way that a stored response may stand in for (RFC 5861, section 4).
  static func isTrouble(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
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
