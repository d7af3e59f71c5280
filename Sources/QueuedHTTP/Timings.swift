/// Where a request's time went, and what went over the wire, in its last attempt unless said
/// otherwise.
///
/// Each stage of connecting is that of the last redirect and stands for itself; `firstByte` and
/// `total` count from the start of the attempt, redirects included.
public struct Timings: Sendable, Hashable {
  /// Waiting for the first start.
  public var queued: Duration = .zero
  /// Looking the name of the host up.
  public var nameLookup: Duration = .zero
  /// Connecting, once the name was looked up.
  public var connect: Duration = .zero
  /// Agreeing on TLS, once connected.
  public var tls: Duration = .zero
  /// From the start of the attempt to the first byte of the answer.
  public var firstByte: Duration = .zero
  /// From the start of the attempt to its end.
  public var total: Duration = .zero
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

  /// Describes what took no time.
  public init() {}
}
