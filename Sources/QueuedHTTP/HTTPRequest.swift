public import FoundationEssentials

/// What is to be sent, and under which limits.
public struct HTTPRequest: Sendable {
  /// What is to be done there.
  public var method: HTTPMethod
  /// The absolute address, http or https, already percent-encoded.
  public var url: String
  /// The fields that are sent beside those of the client's own, which alone says how the body is framed:
  /// `Content-Length` and `Transfer-Encoding` are left out.
  public var headers: HTTPHeaders
  /// The bytes to send, or nil for none.
  public var body: [UInt8]?
  /// A body that is not in memory, in place of `body`.
  public var upload: UploadBody?
  /// What limits, pace and cool-down are kept by; nil means the origin of `url`.
  public var lane: Lane?
  /// How soon it starts beside the others that wait.
  public var priority: RequestPriority
  /// How long each stage may take.
  public var timeouts: Timeouts
  /// The longest time from its submission to its end: the queue, all attempts and the waits between
  /// them; nil means without an end. It ends with `HTTPError.Code.deadline`.
  public var deadline: Duration?
  /// When it is sent again.
  public var retries: RetryPolicy
  /// The most that its response may cost.
  public var bounds: ResponseBounds
  /// Decides on each response, off the worker thread; nil means the rules of `RetryPolicy`.
  public var judge: Judge?
  /// Names of further headers that are dropped, like `Authorization`, when a redirect leaves the
  /// origin.
  public var secretHeaders: Set<String>
  /// Whether redirects from https to http are followed, without the credentials and secret headers.
  public var allowsDowngrade: Bool
  /// Decides about each redirect; nil follows all that `bounds` and the rules for secrets allow.
  ///
  /// It runs on the thread of the transfers, so it must return quickly.
  public var onRedirect: (@Sendable (Redirect) -> RedirectDecision)?
  /// What it can be cancelled with, by `HTTPClient.cancel(group:)`.
  public var group: RequestGroup?
  /// Checks that the response must pass, in order; none accepts every status.
  public var validations: [ResponseValidation]
  /// Where the body of the response goes; `HTTPClient.stream` does not ask.
  public var destination: ResponseDestination
  /// What it wants of the client's cache.
  public var cachePolicy = CachePolicy.useCache

  /// Whether the cache may answer with what is no longer fresh; not where a caller has that already.
  var acceptsStale = true

  /// Describes a request: a `GET` with the default limits, unless told otherwise.
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
    self.body = body
    self.lane = lane
    self.priority = priority
    self.timeouts = timeouts
    self.retries = retries
    self.bounds = bounds
    self.judge = judge
    self.secretHeaders = secretHeaders
    self.allowsDowngrade = allowsDowngrade
    self.group = group
    self.destination = destination
    self.upload = upload
    self.validations = validations
    self.deadline = deadline
  }
}

/// Turns a value into the bytes of a body; `JSONEncoder` and `PropertyListEncoder` do.
public protocol BodyEncoder {
  /// Returns the encoded form of a value.
  func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: BodyEncoder {}
extension PropertyListEncoder: BodyEncoder {}

extension HTTPRequest {
  /// Encodes a value as the body, as JSON unless another encoder is given.
  ///
  /// A `Content-Type` that the request already has is kept. Throws `HTTPError.Code.requestBody` if
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

  /// Makes the bytes given the body.
  ///
  /// A `Content-Type` that the request already has is kept.
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

/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method as it is sent.
  public let rawValue: String

  /// Creates a method by its name, which is case-sensitive.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Asks for what is there.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Asks for the fields of what is there, without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Hands something over to be worked on.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Puts the body in the place of what is there.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes a part of what is there (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes what is there.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what may be done there.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// Whether sending it twice means the same as sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options: true
    case _: false
    }
  }
}

/// A request's body that is not in memory.
public struct UploadBody: Sendable {
  enum Origin: Sendable {
    case file(path: String)
    case stream(length: Int?, make: @Sendable (UploadPump) async throws -> Void)
  }

  let origin: Origin

  /// The bytes of a file, read as they are sent.
  public static func file(_ path: String) -> UploadBody { UploadBody(origin: .file(path: path)) }

  /// Bytes as they are produced, no faster than they are sent.
  ///
  /// - Parameters:
  ///   - length: How many there are in all; without it they go out in chunks (HTTP/1.1) or frames.
  ///   - make: Makes the sequence anew for each attempt and each redirect that keeps the body.
  public static func stream<Bytes: AsyncSequence & Sendable>(
    length: Int? = nil, _ make: @escaping @Sendable () -> Bytes
  ) -> UploadBody where Bytes.Element == [UInt8] {
    UploadBody(
      origin: .stream(length: length) { pump in
        for try await piece in make() {
          guard await pump.put(piece) else { return }
        }
      })
  }
}

/// Where the body of a response goes.
///
/// Only a body that was asked for (status 200 to 299) goes to a file or a stream. Any other stays in
/// memory, so that it can be read, judged and tried again.
public enum ResponseDestination: Sendable, Hashable {
  /// Into the response.
  case memory
  /// Written beside the path and renamed when it is whole; removed on failure or cancel.
  ///
  /// With `resumes` a part that came is kept beside the path (`.NAME.part`) instead of being
  /// removed, and the next attempt or request asks for the rest of it, if the server said by what
  /// to tell that it is still the same (a strong `ETag` or `Last-Modified`).
  case file(path: String, resumes: Bool = false)
}

/// A redirect that a server asks for, before it is followed.
public struct Redirect: Sendable, Hashable {
  /// The status of the response: 301, 302, 303, 307 or 308.
  public let status: Int
  /// The address that answered.
  public let url: String
  /// The address to go to.
  public let target: String
  /// The method that the target would be asked with.
  public let method: HTTPMethod
  /// The number of redirects of this request up to and including this one.
  public let count: Int
}

/// The decision about a redirect.
public enum RedirectDecision: Sendable, Hashable {
  /// Go to the target, with the checks of every redirect: none to a scheme other than http and https,
  /// none from https to http unless the request allows it, no credentials to another origin.
  case follow
  /// Stay: the redirect is the response.
  case stop
  /// End the request with `HTTPError.Code.redirect`.
  case refuse
}

/// What a request wants of its client's cache; without effect where the client has none, but for
/// `onlyCached`.
///
/// Only a `GET` without a body, into memory, without `Range` and conditions of its own takes part.
/// Streams, files and all others pass the cache by. A request's own `Cache-Control` counts beside
/// this (RFC 9111, section 5.2.1): `no-store` passes by, `no-cache` asks the server in any case,
/// and `max-age`, `min-fresh`, `max-stale` and `only-if-cached` are obeyed.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
  /// A fresh response is used; a stale one is used when the server says that it is unchanged.
  case useCache
  /// The server, and every cache on the way, is asked for the whole, which is then kept.
  case reload
  /// What is kept is used however old it is, and the server is never asked; where nothing is kept
  /// the request ends with `HTTPError.Code.notCached`.
  case onlyCached
  /// Nothing that is kept is used, and nothing is kept: for exchanges of secrets.
  case ignore
}
