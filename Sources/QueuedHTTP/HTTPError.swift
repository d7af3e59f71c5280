public import FoundationEssentials

/// Why a request ended without a response that counts.
///
/// `description` is one line for people: what happened to which address (censored: without
/// user, password, query and fragment), and what to do where that is known.
public struct HTTPError: Error, Sendable, CustomStringConvertible {
  /// The kinds of end; an open set, so compare rather than switch over it.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Cancelled by the caller, alone or with all others.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The client was shut down before or while the request waited.
    public static let shutDown = Code(rawValue: "shut down")
    /// The address or a header cannot be sent.
    public static let badRequest = Code(rawValue: "bad request")
    /// The name of the host has no address.
    public static let nameLookup = Code(rawValue: "name lookup")
    /// No connection: refused, unreachable or reset before an answer.
    public static let connection = Code(rawValue: "connection")
    /// The proxy does not let the request through, or is none; `reason` names it.
    public static let proxy = Code(rawValue: "proxy")
    /// The certificate is not trusted, or TLS failed otherwise.
    public static let tls = Code(rawValue: "tls")
    /// Connecting took too long.
    public static let connectTimeout = Code(rawValue: "connect timeout")
    /// Nothing came for too long.
    public static let idleTimeout = Code(rawValue: "idle timeout")
    /// The transfer took too long.
    public static let totalTimeout = Code(rawValue: "total timeout")
    /// It waited too long in the queue.
    public static let queueTimeout = Code(rawValue: "queue timeout")
    /// It was not done by the deadline that the request set.
    public static let deadline = Code(rawValue: "deadline")
    /// The queue is full.
    public static let queueFull = Code(rawValue: "queue full")
    /// The answer broke off, or is none of HTTP.
    public static let brokenAnswer = Code(rawValue: "broken answer")
    /// Body or headers are larger than the bounds allow.
    public static let tooLarge = Code(rawValue: "too large")
    /// Too many redirects, or one to where none is followed.
    public static let redirect = Code(rawValue: "redirect")
    /// Its lane lets nothing start before a moment that lies beyond the time left; `retryMoment`
    /// names it.
    public static let coolingDown = Code(rawValue: "cooling down")
    /// A file could not be read or written.
    public static let file = Code(rawValue: "file")
    /// The stream of a request's body failed, or had not as many bytes as was said.
    public static let requestBody = Code(rawValue: "request body")
    /// The body of the response could not be decoded; `response` is that response.
    public static let decoding = Code(rawValue: "decoding")
    /// The response did not pass a check of the request; `response` is that response.
    public static let unacceptable = Code(rawValue: "unacceptable")
    /// Only what the cache keeps was wanted, and it keeps nothing that would do.
    public static let notCached = Code(rawValue: "not cached")
    /// The body is in an encoding that this client neither asked for nor knows.
    public static let unknownEncoding = Code(rawValue: "unknown encoding")
    /// libcurl failed in a way that says nothing of the request.
    public static let transport = Code(rawValue: "transport")
  }

  /// What kind of end it is.
  public var code: Code
  /// What happened, in words, without the address.
  public var reason: String
  /// The address, without user, password, query and fragment.
  public var address: String
  /// For a wait beyond the time left: the moment from which another try makes sense.
  public var retryMoment: Date?
  /// Where the time went until then.
  public var timings: Timings
  /// The response that did not pass a check.
  public var response: HTTPResponse?
  /// The error that caused it, where it began in the caller's own code: that of a validation, of the
  /// stream of a request's body, or of a coder.
  public var underlyingError: (any Error)?

  /// Describes an end.
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

  /// Whether the last attempt got as far as a connection to a server.
  public var hasConnected: Bool {
    timings.connect > .zero || timings.reusedConnection || timings.firstByte > .zero
  }

  /// Whether the last attempt failed before there was a connection: the name has no address, or
  /// connecting was refused or took too long.
  public var isUnreachable: Bool {
    switch code {
    case .nameLookup, .connection, .connectTimeout, .idleTimeout, .totalTimeout: !hasConnected
    case _: false
    }
  }

  /// One line for people: the address and what happened.
  public var description: String { address.isEmpty ? reason : "\(address): \(reason)" }
}

extension HTTPError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }

  /// What happened, without the address.
  public var failureReason: String? { reason }
}
