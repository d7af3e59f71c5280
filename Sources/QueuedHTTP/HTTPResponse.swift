public import FoundationEssentials

/// The answer to a request, with its whole body in memory.
public struct HTTPResponse: Sendable {
  /// The status code, 100 to 599.
  public var status: Int
  /// The fields of the last response on the way, without those of redirects.
  public var headers: HTTPHeaders
  /// The body, decompressed; empty where it went to a file.
  public var body: HTTPBody
  /// The address that answered, after redirects.
  public var url: String
  /// Where the time went, and what went over the wire.
  public var timings: Timings
  /// Whether the server sent it, or the cache had it.
  public var origin = ResponseOrigin.network
  /// The version of HTTP that the server used; nil where the cache had the response.
  public var version: ProtocolVersion?
  /// The IP address and port that the response came from, such as `192.0.2.1:443` or
  /// `[2001:db8::1]:443`: the server's, or the proxy's; nil where the cache had the response.
  public var remoteAddress: String? { endpoint?.description }
  // Put into words for whoever asks; most do not.
  var endpoint: RemoteEndpoint?
  /// The fields that came after the body (RFC 9110, section 6.5).
  public var trailers = HTTPHeaders()

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }

  /// Describes a response.
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
}

/// The IP address and port at the other end of a connection.
struct RemoteEndpoint: Sendable, CustomStringConvertible {
  var host: String
  var port: Int

  var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Turns the bytes of a body into a value; `JSONDecoder` and `PropertyListDecoder` do.
public protocol BodyDecoder {
  /// Returns the value that the data is the encoded form of.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

extension HTTPBody {
  /// A copy of the bytes as `Data`.
  public var data: Data { unsafe withUnsafeBytes { unsafe Data($0) } }

  /// The bytes without a copy, for a reader that never changes them.
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
  /// Decodes the body, as JSON unless another decoder is given.
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

/// The version of HTTP that a response came by.
public struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  /// The number before the dot.
  public var major: Int
  /// The number after the dot.
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

  /// The version as people write it, such as `HTTP/1.1` and `HTTP/2`.
  public var description: String { major < 2 ? "HTTP/\(major).\(minor)" : "HTTP/\(major)" }
}

/// Where a response came from.
public enum ResponseOrigin: Sendable, Hashable {
  /// The server sent it just now.
  case network
  /// It was kept, and still counts as fresh: the server was not asked.
  case stored
  /// It was kept, and may have changed since: the server was not asked.
  case stale
  /// It was kept, and the server has just said that it is unchanged (304).
  case revalidated
}

/// Where a request's time went, and what went over the wire, in its last attempt unless said
/// otherwise.
///
/// Each stage of connecting is that of the last redirect and stands for itself; `firstByte` and
/// `total` count from the start of the attempt, redirects included.
public struct Timings: Sendable, Hashable {
  /// Waiting for the first start.
  public var queued: Duration {
    get { .nanoseconds(queuedNanoseconds) }
    set { queuedNanoseconds = newValue.wholeNanoseconds }
  }
  /// Looking the name of the host up.
  public var nameLookup: Duration {
    get { .nanoseconds(nameLookupNanoseconds) }
    set { nameLookupNanoseconds = newValue.wholeNanoseconds }
  }
  /// Connecting, once the name was looked up.
  public var connect: Duration {
    get { .nanoseconds(connectNanoseconds) }
    set { connectNanoseconds = newValue.wholeNanoseconds }
  }
  /// Agreeing on TLS, once connected.
  public var tls: Duration {
    get { .nanoseconds(tlsNanoseconds) }
    set { tlsNanoseconds = newValue.wholeNanoseconds }
  }
  /// From the start of the attempt to the first byte of the answer.
  public var firstByte: Duration {
    get { .nanoseconds(firstByteNanoseconds) }
    set { firstByteNanoseconds = newValue.wholeNanoseconds }
  }
  /// From the start of the attempt to its end.
  public var total: Duration {
    get { .nanoseconds(totalNanoseconds) }
    set { totalNanoseconds = newValue.wholeNanoseconds }
  }
  /// Body bytes as they came over the wire.
  public var bytesOnWire: Int = 0
  /// Body bytes after decompression.
  public var bytesDecoded: Int = 0
  /// How often the request was sent.
  public var attempts: Int = 1
  /// Whether an open connection served it.
  public var reusedConnection = false
  /// Whether the body came from the cache; where the server was not asked at all, `attempts` is 0.
  public var fromCache = false

  // A duration is made by a multiplication of 128 bits, which nobody has asked for yet.
  var queuedNanoseconds: Int64 = 0
  var nameLookupNanoseconds: Int64 = 0
  var connectNanoseconds: Int64 = 0
  var tlsNanoseconds: Int64 = 0
  var firstByteNanoseconds: Int64 = 0
  var totalNanoseconds: Int64 = 0

  /// Creates timings with all values zero.
  public init() {}
}
