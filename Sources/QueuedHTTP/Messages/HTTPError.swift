public import FoundationEssentials
internal import Glibc

/// The reason a request ended without a usable response.
///
/// `description` is one line for people: the URL (without user, password, query and fragment) and what
/// happened.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error; an open set, so compare values instead of switching over them.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The caller canceled the request, alone or with others.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The client was shut down.
    public static let shutDown = Code(rawValue: "shut down")
    /// The URL or a header is invalid.
    public static let badRequest = Code(rawValue: "bad request")
    /// The host name could not be resolved.
    public static let nameLookup = Code(rawValue: "name lookup")
    /// No connection: refused, unreachable or reset before a response.
    public static let connection = Code(rawValue: "connection")
    /// The proxy refused the request, or is not a proxy; `reason` names it.
    public static let proxy = Code(rawValue: "proxy")
    /// The certificate is not trusted, or TLS failed otherwise.
    public static let tls = Code(rawValue: "tls")
    /// The connection took too long.
    public static let connectTimeout = Code(rawValue: "connect timeout")
    /// No data arrived for too long.
    public static let idleTimeout = Code(rawValue: "idle timeout")
    /// The transfer took too long.
    public static let totalTimeout = Code(rawValue: "total timeout")
    /// The request waited too long in the queue.
    public static let queueTimeout = Code(rawValue: "queue timeout")
    /// The request did not finish within its deadline.
    public static let deadline = Code(rawValue: "deadline")
    /// The queue is full.
    public static let queueFull = Code(rawValue: "queue full")
    /// The response ended early, or is not HTTP.
    public static let brokenAnswer = Code(rawValue: "broken answer")
    /// The body or the headers exceed the limits.
    public static let tooLarge = Code(rawValue: "too large")
    /// Too many redirects, or a redirect that is not allowed.
    public static let redirect = Code(rawValue: "redirect")
    /// The lane is cooling down for longer than the request may take; `retryMoment` says until when.
    public static let coolingDown = Code(rawValue: "cooling down")
    /// A file could not be read or written.
    public static let file = Code(rawValue: "file")
    /// The stream of the request body failed or had the wrong length, or the body could not be encoded.
    public static let requestBody = Code(rawValue: "request body")
    /// The body of the response could not be decoded; `response` contains it.
    public static let decoding = Code(rawValue: "decoding")
    /// The response did not pass a check of the request; `response` contains it.
    public static let unacceptable = Code(rawValue: "unacceptable")
    /// The client's interceptor failed; `underlyingError` is its error, and `response` the response that
    /// it was asked about. An interceptor that throws an error of this code chooses the error itself.
    public static let interceptor = Code(rawValue: "interceptor")
    /// Only a stored response was wanted, and the cache has none that is usable.
    public static let notCached = Code(rawValue: "not cached")
    /// The body has an encoding that this client does not support.
    public static let unknownEncoding = Code(rawValue: "unknown encoding")
    /// libcurl failed for a reason unrelated to the request.
    public static let transport = Code(rawValue: "transport")
  }

  /// The kind of error.
  public var code: Code
  /// A description without the URL.
  public var reason: String
  /// The URL without user, password, query and fragment; after a redirect, the one that it led to.
  public var address: String
  /// The time at which a retry makes sense, if the wait was too long for the request.
  public var retryMoment: Date?
  /// The timings up to the error.
  public var timings: Timings
  /// The response that was not accepted.
  public var response: HTTPResponse? {
    get { refused?.response }
    set { refused = newValue.map { RefusedResponse($0) } }
  }
  private var refused: RefusedResponse?
  /// The error of the caller's own code that caused this one: of a validation, an interceptor,
  /// a body stream or a coder.
  public var underlyingError: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, reason: String, address: String = "", retryMoment: Date? = nil,
    timings: Timings = Timings()
  ) {
    self.code = code
    self.reason = reason
    self.address = address
    self.retryMoment = retryMoment
    self.timings = timings
  }

  /// The error for a file that the system does not let us read, for the reason in `errno`.
  init(unreadable path: String) {
    let reason = unsafe String(cString: strerror(errno))
    self.init(.file, reason: "\(path): cannot be read: \(reason)")
  }

  /// An object, because a result has the size of an error, and few errors have a response.
  private final class RefusedResponse: Sendable {
    let response: HTTPResponse

    init(_ response: HTTPResponse) { self.response = response }
  }

  /// True if the last attempt had a connection.
  public var hasConnected: Bool {
    timings.connect > .zero || timings.reusedConnection || timings.firstByte > .zero
  }

  /// True if anything of a response had arrived.
  public var hasAnswered: Bool { response != nil || timings.firstByte > .zero }

  /// True if the server may be down: it could not be reached, or sent nothing until time was up.
  public var isUnanswered: Bool {
    switch code {
    case .idleTimeout, .totalTimeout: !hasAnswered
    default: isUnreachable
    }
  }

  /// True if the last attempt failed before it had a connection: the name could not be resolved, or the
  /// connection was refused or took too long.
  public var isUnreachable: Bool {
    switch code {
    case .nameLookup, .connection, .connectTimeout, .idleTimeout, .totalTimeout: !hasConnected
    default: false
    }
  }

  /// One line for people: the URL and what happened.
  public var description: String { address.isEmpty ? reason : "\(address): \(reason)" }
}

extension HTTPError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// A description without the URL.
  public var failureReason: String? { reason }
}
