public import FoundationEssentials

/// A request and its limits.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute http or https URL, already percent-encoded.
  public var url: String
  /// The fields to send, in addition to the client's own. The client alone frames the body, so
  /// `Content-Length` and `Transfer-Encoding` are ignored.
  public var headers: HTTPHeaders
  /// The bytes to send, or nil for none.
  public var body: [UInt8]? {
    get { extras?.values.body }
    set { setExtra(\.body, newValue) }
  }
  /// A body that is not in memory; replaces `body`.
  public var upload: UploadBody? {
    get { extras?.values.upload }
    set { setExtra(\.upload, newValue) }
  }
  /// The lane, which has its own limit, pace and cool-down; nil means the origin of `url`.
  public var lane: Lane?
  /// The priority among waiting requests.
  public var priority: RequestPriority
  /// The timeouts of each stage.
  public var timeouts: Timeouts {
    get { limits?.values.timeouts ?? Timeouts() }
    set { setLimit(\.timeouts, newValue) }
  }
  /// The maximum time from submission to completion, including the queue, all attempts and the waits
  /// between them; nil means no limit. The request then fails with `HTTPError.Code.deadline`.
  public var deadline: Duration? {
    get { limits?.values.deadline }
    set { setLimit(\.deadline, newValue) }
  }
  /// The rules for sending it again.
  public var retries: RetryPolicy {
    get { limits?.values.retries ?? RetryPolicy() }
    set { setLimit(\.retries, newValue) }
  }
  /// The limits of the response.
  public var bounds: ResponseBounds {
    get { limits?.values.bounds ?? ResponseBounds() }
    set { setLimit(\.bounds, newValue) }
  }
  /// Judges each response, not on the worker thread; nil means the rules of `RetryPolicy`.
  public var judge: Judge? {
    get { extras?.values.judge }
    set { setExtra(\.judge, newValue) }
  }
  /// Names of additional headers that, like `Authorization`, are removed when a redirect leaves the
  /// origin.
  public var secretHeaders: Set<String> {
    get { extras?.values.secretHeaders ?? [] }
    set { setExtra(\.secretHeaders, newValue) }
  }
  /// True if redirects from https to http are followed, without the credentials and secret headers.
  public var allowsDowngrade: Bool
  /// True if the body may follow a redirect to another origin (RFC 9110, section 4.3.1); off by default,
  /// because it may contain secrets.
  ///
  /// Otherwise a redirect that keeps the body (307 and 308; 301 and 302 of any method but `POST`; `keepsMethod`) fails
  /// with `HTTPError.Code.redirect` if the scheme, the host or the port is another one. Only a redirect
  /// from http to https of the same host, both on their default ports, may always take the body along.
  public var allowsBodyToOtherOrigin: Bool {
    get { extras?.values.allowsBodyToOtherOrigin ?? false }
    set { setExtra(\.allowsBodyToOtherOrigin, newValue) }
  }
  /// True if a `POST` remains one after a redirect with status 301 or 302, for requests that change nothing. By default,
  /// and with status 303, it becomes a `GET` without a body (RFC 9110, section 15.4).
  public var keepsMethod: Bool {
    get { extras?.values.keepsMethod ?? false }
    set { setExtra(\.keepsMethod, newValue) }
  }
  /// Decides about each redirect; nil follows every redirect that `bounds` and the rules for secrets
  /// allow.
  ///
  /// It runs on the worker thread, so it must return quickly.
  public var onRedirect: (@Sendable (Redirect) -> RedirectDecision)? {
    get { extras?.values.onRedirect }
    set { setExtra(\.onRedirect, newValue) }
  }
  /// The group to cancel it with, by `HTTPClient.cancel(group:)`.
  public var group: RequestGroup? {
    get { extras?.values.group }
    set { setExtra(\.group, newValue) }
  }
  /// Checks that the response must pass, in order; without any, every status is accepted.
  public var validations: [ResponseValidation] {
    get { extras?.values.validations ?? [] }
    set { setExtra(\.validations, newValue) }
  }
  /// The destination of the response's body; ignored by `HTTPClient.stream`.
  public var destination: ResponseDestination {
    get { extras?.values.destination ?? .memory }
    set { setExtra(\.destination, newValue) }
  }
  /// The use of the client's cache.
  public var cachePolicy = CachePolicy.useCache
  /// Returns whether the cache may keep a response that the rules of HTTP let it store; nil for every one.
  package var mayKeep: (@Sendable (HTTPResponse) -> Bool)? {
    get { extras?.values.mayKeep }
    set { setExtra(\.mayKeep, newValue) }
  }

  /// The token that a `TokenInterceptor` has added, by its number; nil if it has none.
  var tokenNumber: UInt64? {
    get { extras?.values.tokenNumber }
    set { setExtra(\.tokenNumber, newValue) }
  }

  /// True if the cache may answer with a stale response; false if the caller already has it.
  var acceptsStale = true

  /// The properties that few requests set; nil if this one sets none.
  private var extras: Extras?
  /// The limits of time, size and number; nil if they are the default ones.
  private var limits: Limits?

  /// An object, so that a request is small: there may be 100,000 of them waiting.
  private final class Limits: Sendable {
    struct Values: Sendable, Equatable {
      var timeouts = Timeouts()
      var retries = RetryPolicy()
      var bounds = ResponseBounds()
      var deadline: Duration?

      static let `default` = Values()
    }

    let values: Values

    init(_ values: Values) { self.values = values }
  }

  /// The longest time that its attempts and the waits between them may take.
  var budget: Duration {
    guard let limits else { return Limits.Values.default.retries.budget }
    return min(limits.values.retries.budget, limits.values.deadline ?? limits.values.retries.budget)
  }

  /// An object, so that copying a request costs a few reference counts instead of a dozen.
  private final class Extras: Sendable {
    struct Values: Sendable {
      var body: [UInt8]?
      var upload: UploadBody?
      var judge: Judge?
      var secretHeaders: Set<String> = []
      var allowsBodyToOtherOrigin = false
      var keepsMethod = false
      var onRedirect: (@Sendable (Redirect) -> RedirectDecision)?
      var group: RequestGroup?
      var validations: [ResponseValidation] = []
      var destination = ResponseDestination.memory
      var mayKeep: (@Sendable (HTTPResponse) -> Bool)?
      var tokenNumber: UInt64?
    }

    let values: Values

    init(_ values: Values) { self.values = values }
  }

  private mutating func setExtra<Value>(
    _ property: WritableKeyPath<Extras.Values, Value>, _ value: Value
  ) {
    var values = extras?.values ?? Extras.Values()
    values[keyPath: property] = value
    extras = Extras(values)
  }

  private mutating func setLimit<Value>(
    _ property: WritableKeyPath<Limits.Values, Value>, _ value: Value
  ) {
    var values = limits?.values ?? .default
    values[keyPath: property] = value
    limits = Limits(values)
  }

  /// Creates a request; by default a `GET` with the default limits.
  public init(
    _ method: HTTPMethod = .get, url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    lane: Lane? = nil, priority: RequestPriority = .normal, timeouts: Timeouts = Timeouts(),
    retries: RetryPolicy = RetryPolicy(), bounds: ResponseBounds = ResponseBounds(),
    judge: Judge? = nil, secretHeaders: Set<String> = [],
    allowsDowngrade: Bool = false,
    group: RequestGroup? = nil, destination: ResponseDestination = .memory,
    upload: UploadBody? = nil, validations: [ResponseValidation] = [], deadline: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.lane = lane
    self.priority = priority
    self.allowsDowngrade = allowsDowngrade
    let isPlain =
      body == nil && upload == nil && judge == nil && secretHeaders.isEmpty && group == nil
      && validations.isEmpty && destination == .memory
    if !isPlain {
      extras = Extras(
        Extras.Values(
          body: body, upload: upload, judge: judge, secretHeaders: secretHeaders, group: group,
          validations: validations, destination: destination))
    }
    let limits = Limits.Values(
      timeouts: timeouts, retries: retries, bounds: bounds, deadline: deadline)
    if limits != .default { self.limits = Limits(limits) }
  }
}

extension HTTPRequest {
  /// The error of the first check that a response fails.
  func refusal(of response: HTTPResponse) -> HTTPError? { response.refusal(by: validations) }
}

/// An encoder for bodies, such as `JSONEncoder` and `PropertyListEncoder`.
public protocol BodyEncoder {
  /// Returns the encoded form of a value.
  func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: BodyEncoder {}
extension PropertyListEncoder: BodyEncoder {}

extension HTTPRequest {
  /// This request with the changes that an interceptor may make.
  func adapted(by change: HTTPRequest) -> HTTPRequest {
    var request = self
    (request.method, request.url, request.headers) = (change.method, change.url, change.headers)
    // Setting a rare property costs an object.
    if change.body != nil || body != nil { request.body = change.body }
    if change.upload != nil || upload != nil { request.upload = change.upload }
    if change.tokenNumber != nil { request.tokenNumber = change.tokenNumber }
    // What was a secret stays one.
    let secrets = change.secretHeaders.subtracting(secretHeaders)
    if !secrets.isEmpty { request.secretHeaders.formUnion(secrets) }
    return request
  }
}

extension HTTPRequest {
  /// Encodes a value as the body, as JSON unless you pass another encoder.
  ///
  /// An existing `Content-Type` is kept. Throws `HTTPError.Code.requestBody` if
  /// the value cannot be encoded; `underlyingError` is the encoder's error.
  ///
  /// - Parameters:
  ///   - value: The value to send.
  ///   - encoder: The encoder to use.
  ///   - contentType: The `Content-Type` to set.
  public mutating func setBody(
    encoding value: some Encodable, with encoder: some BodyEncoder = JSONEncoder(),
    contentType: String = "application/json"
  ) throws(HTTPError) {
    let data: Data
    do { data = try encoder.encode(value) } catch {
      var failure = HTTPError(.requestBody, reason: "cannot encode the body: \(error)")
      failure.underlyingError = error
      throw failure
    }
    setBody(data, contentType: contentType)
  }

  /// Sets the body.
  ///
  /// An existing `Content-Type` is kept.
  public mutating func setBody(
    _ bytes: some Collection<UInt8>, contentType: String = "application/octet-stream"
  ) {
    upload = nil
    body = Array(bytes)
    if headers["Content-Type"] == nil { headers["Content-Type"] = contentType }
  }

  /// Sets `Authorization` to a user name and password (the Basic scheme, RFC 7617).
  public mutating func setBasicAuthorization(user: String, password: String) {
    let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
    headers["Authorization"] = "Basic \(credentials)"
  }

  /// Sets `Authorization` to a bearer token (RFC 6750).
  public mutating func setBearerToken(_ token: String) {
    headers["Authorization"] = "Bearer \(token)"
  }
}

/// The destination of a response's body.
///
/// Only the body of a successful response (status 200 to 299) goes to a file or a stream. Any other
/// stays in memory, so that it can be read, judged and retried.
public enum ResponseDestination: Sendable, Hashable {
  /// The response itself.
  case memory
  /// A file, written next to the path and renamed when it is complete; removed on failure or
  /// cancellation.
  ///
  /// With `resumes`, a partial file is kept next to the path (`.NAME.part`) instead, and the next
  /// attempt or request downloads the rest, if the server identified the version (with a strong `ETag`
  /// or `Last-Modified`). Such a request cannot have a `Range` field of its own.
  case file(path: String, resumes: Bool = false)
}

/// A redirect before it is followed.
public struct Redirect: Sendable, Hashable {
  /// The status of the response: 301, 302, 303, 307 or 308.
  public let status: Int
  /// The URL of the response.
  public let url: String
  /// The URL that it leads to.
  public let target: String
  /// The method of the request to the target.
  public let method: HTTPMethod
  /// The number of redirects of this request up to and including this one.
  public let count: Int
}

/// The decision about a redirect.
public enum RedirectDecision: Sendable, Hashable {
  /// Follow the redirect, with the usual checks: only http and https, not from https to http unless the
  /// request allows it, no credentials to another origin.
  case follow
  /// Do not follow it: the redirect is the response.
  case stop
  /// End the request with `HTTPError.Code.redirect`.
  case refuse
}

/// The use of the client's cache; without a cache only `onlyCached` has an effect.
///
/// Only a `GET` into memory without a body, a `Range` and conditions of its own uses the cache;
/// streams, files and all other requests bypass it. The request's own `Cache-Control` applies as well
/// (RFC 9111, section 5.2.1): `no-store` bypasses the cache, `no-cache` always asks the server, and
/// `max-age`, `min-fresh`, `max-stale` and `only-if-cached` are obeyed.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
  /// Use a fresh response, or a stale one if the server confirms that it is unchanged.
  case useCache
  /// Request the whole response from the server, past every cache on the way, and store it.
  case reload
  /// Use a stored response whatever its age, and never ask the server; without one, the request fails
  /// with `HTTPError.Code.notCached`.
  case onlyCached
  /// Neither use nor store a response: for exchanging secrets.
  case ignore
}
