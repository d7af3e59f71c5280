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
