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
