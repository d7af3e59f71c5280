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
