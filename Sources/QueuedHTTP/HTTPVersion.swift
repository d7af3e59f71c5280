/// Which versions of HTTP a client speaks.
public enum HTTPVersion: Sendable, Hashable {
  /// HTTP/2 to https servers that offer it, else HTTP/1.1.
  case automatic
  /// HTTP/1.1 alone.
  case http1
  /// HTTP/2 from the first byte on, also to http servers, which must be known to speak it
  /// (RFC 9113, section 3.3); libcurl before 8.0.1 needs a connection for each request there.
  case http2
}
