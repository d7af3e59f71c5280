public import FoundationEssentials

/// A response with its whole body in memory.
public struct HTTPResponse: Sendable {
  /// The status code; one above 599 is invalid and counts as a server error (RFC 9110, section 15).
  public var status: Int
  /// The fields of the last response, without those of redirects.
  public var headers: HTTPHeaders
  /// The decompressed body; empty if it went to a file.
  public var body: HTTPBody
  /// The URL of the response, after redirects.
  public var url: String
  /// The time that each stage took, and the amount of data.
  public var timings: Timings
  /// The origin: the server or the cache.
  public var origin = ResponseOrigin.network
  /// The HTTP version of the response; nil if it came from the cache.
  public var version: ProtocolVersion?
  /// The IP address and port of the server, or of the proxy, such as `192.0.2.1:443` or
  /// `[2001:db8::1]:443`; nil if the response came from the cache.
  public var remoteAddress: String? { endpoint?.description }
  // Formatted only on demand: most callers never read it.
  var endpoint: RemoteEndpoint?
  /// The trailer fields (RFC 9110, section 6.5).
  public var trailers = HTTPHeaders()

  /// True if the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }

  /// Creates a response.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: HTTPBody = HTTPBody(), url: String = "",
    timings: Timings = Timings()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.timings = timings
  }

  /// Creates a response that a server has sent.
  init(
    status: Int, headers: consuming HTTPHeaders, body: consuming HTTPBody, url: consuming String,
    timings: Timings, version: ProtocolVersion?, endpoint: consuming RemoteEndpoint?,
    trailers: consuming HTTPHeaders
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.timings = timings
    self.version = version
    self.endpoint = endpoint
    self.trailers = trailers
  }
}

/// The IP address and port at the other end of a connection.
struct RemoteEndpoint: Sendable, CustomStringConvertible {
  var host: String
  var port: Int

  var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// A decoder for bodies, such as `JSONDecoder` and `PropertyListDecoder`.
public protocol BodyDecoder {
  /// Decodes a value.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

extension HTTPBody {
  /// A copy of the bytes as `Data`.
  public var data: Data { unsafe withUnsafeBytes { unsafe Data($0) } }

  /// The bytes without copying, for readers that never change them.
  var shared: Data {
    unsafe withUnsafeBytes { bytes in
      guard count > 0, let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      else { return Data() }
      return unsafe Data(
        bytesNoCopy: start, count: count, deallocator: .custom { _, _ in extendLifetime(self) })
    }
  }
}

extension HTTPResponse {
  /// Decodes the body, as JSON unless you pass another decoder.
  ///
  /// Throws `HTTPError.Code.decoding` if it cannot be decoded; `underlyingError` is the decoder's
  /// error, and `response` is this response. The status is not checked.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with decoder: some BodyDecoder = JSONDecoder()
  ) throws(HTTPError) -> Value {
    do { return try decoder.decode(type, from: body.shared) } catch {
      var failure = HTTPError(
        .decoding, reason: "cannot decode the body: \(error)", timings: timings)
      failure.underlyingError = error
      failure.response = self
      throw failure
    }
  }
}

/// The HTTP version of a response.
public struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  /// The major version.
  public var major: Int
  /// The minor version.
  public var minor: Int

  /// Creates a version.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// HTTP/1.0 (RFC 1945).
  public static let http1_0 = ProtocolVersion(major: 1, minor: 0)
  /// HTTP/1.1 (RFC 9112).
  public static let http1_1 = ProtocolVersion(major: 1, minor: 1)
  /// HTTP/2 (RFC 9113).
  public static let http2 = ProtocolVersion(major: 2, minor: 0)
  /// HTTP/3 (RFC 9114).
  public static let http3 = ProtocolVersion(major: 3, minor: 0)

  /// The version in the usual notation, such as `HTTP/1.1` or `HTTP/2`.
  public var description: String { major < 2 ? "HTTP/\(major).\(minor)" : "HTTP/\(major)" }
}

/// The origin of a response.
public enum ResponseOrigin: Sendable, Hashable {
  /// The server sent it.
  case network
  /// It was stored and is still fresh: the server was not asked.
  case stored
  /// It was stored and may have changed since: the server was not asked.
  case stale
  /// It was stored, and the server has confirmed that it is unchanged (304).
  case revalidated
}

/// The time that each stage of a request took, and the amount of data, in its last attempt unless
/// stated otherwise.
///
/// The stages of connecting are durations of their own, those of the last redirect; `firstByte` and
/// `total` count from the start of the attempt, including redirects.
public struct Timings: Sendable, Hashable {
  /// The wait for the first start.
  public var queued: Duration {
    get { .nanoseconds(queuedNanoseconds) }
    set { queuedNanoseconds = newValue.wholeNanoseconds }
  }
  /// The lookup of the host name.
  public var nameLookup: Duration {
    get { .nanoseconds(nameLookupNanoseconds) }
    set { nameLookupNanoseconds = newValue.wholeNanoseconds }
  }
  /// Connecting, after the name lookup.
  public var connect: Duration {
    get { .nanoseconds(connectNanoseconds) }
    set { connectNanoseconds = newValue.wholeNanoseconds }
  }
  /// The TLS handshake, after connecting.
  public var tls: Duration {
    get { .nanoseconds(tlsNanoseconds) }
    set { tlsNanoseconds = newValue.wholeNanoseconds }
  }
  /// From the start of the attempt to the first byte of the response.
  public var firstByte: Duration {
    get { .nanoseconds(firstByteNanoseconds) }
    set { firstByteNanoseconds = newValue.wholeNanoseconds }
  }
  /// From the start of the attempt to its end.
  public var total: Duration {
    get { .nanoseconds(totalNanoseconds) }
    set { totalNanoseconds = newValue.wholeNanoseconds }
  }
  /// Body bytes before decompression.
  public var bytesOnWire: Int = 0
  /// Body bytes after decompression.
  public var bytesDecoded: Int = 0
  /// The number of times the request was sent.
  public var attempts: Int = 1
  /// True if it used a connection that was already open.
  public var reusedConnection = false
  /// True if the body came from the cache; if the server was not asked at all, `attempts` is 0.
  public var fromCache = false

  // Creating a `Duration` costs a 128-bit multiplication, so it happens only on demand.
  var queuedNanoseconds: Int64 = 0
  var nameLookupNanoseconds: Int64 = 0
  var connectNanoseconds: Int64 = 0
  var tlsNanoseconds: Int64 = 0
  var firstByteNanoseconds: Int64 = 0
  var totalNanoseconds: Int64 = 0

  /// Creates timings with all values zero.
  public init() {}
}
