/// How long each stage of a request may take; nil means without an end.
public struct Timeouts: Sendable, Hashable {
  /// Name lookup, connection and TLS together.
  public var connect: Duration?
  /// The longest pause between two bytes once connected, the wait for the first included.
  public var idle: Duration?
  /// One transfer from start to end; waiting in the queue does not count.
  ///
  /// 60 s unless set. A timeout that was not set holds only for a response in memory: a download to a
  /// file and a stream have none.
  public var total: Duration? {
    get { hasDefaultTotal ? Self.memoryTotal : chosenTotal }
    set {
      chosenTotal = newValue
      hasDefaultTotal = false
    }
  }
  /// Waiting in the queue before the first start.
  public var queue: Duration?

  private var chosenTotal: Duration?
  private var hasDefaultTotal = true

  private static let memoryTotal = Duration.seconds(60)

  /// Creates timeouts: 10 s to connect, 20 s without a byte, 60 s in all for a response in memory, and
  /// any time in the queue, unless told otherwise.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(20), queue: Duration? = nil
  ) {
    self.connect = connect
    self.idle = idle
    self.queue = queue
  }

  /// Creates timeouts with one for the whole transfer, wherever its body goes.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(20), total: Duration?,
    queue: Duration? = nil
  ) {
    self.init(connect: connect, idle: idle, queue: queue)
    self.total = total
  }

  /// The timeout of a transfer whose body stays in memory, or goes to a file or a stream.
  func total(inMemory isInMemory: Bool) -> Duration? {
    hasDefaultTotal && !isInMemory ? nil : total
  }
}

/// The most that a response may cost.
public struct ResponseBounds: Sendable, Hashable {
  /// Body bytes, counted after decompression.
  ///
  /// 64 MiB unless set. A bound that was not set holds only for bodies in memory: one that goes to a
  /// file or a stream has none.
  public var bodyBytes: Int {
    get { chosenBodyBytes ?? Self.memoryBytes }
    set { chosenBodyBytes = newValue }
  }
  /// Bytes of all header lines of one response.
  public var headerBytes: Int
  /// Redirects that are followed; 0 hands the first one back as the response.
  public var redirects: Int

  private var chosenBodyBytes: Int?

  private static let memoryBytes = 64 << 20

  /// Creates bounds: a body of 64 MiB in memory and of any size elsewhere, 256 KiB of headers and five
  /// redirects, unless told otherwise.
  public init(headerBytes: Int = 256 << 10, redirects: Int = 5) {
    self.headerBytes = headerBytes
    self.redirects = redirects
  }

  /// Creates bounds with one for the body, wherever it goes.
  public init(bodyBytes: Int, headerBytes: Int = 256 << 10, redirects: Int = 5) {
    self.init(headerBytes: headerBytes, redirects: redirects)
    chosenBodyBytes = bodyBytes
  }

  /// The bound of a body in memory, or of one that goes to a file or a stream.
  func bodyBytes(inMemory isInMemory: Bool) -> Int {
    chosenBodyBytes ?? (isInMemory ? Self.memoryBytes : .max)
  }
}
