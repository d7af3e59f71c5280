/// The maximum duration of each stage of a request; nil means no limit.
public struct Timeouts: Sendable, Hashable {
  /// Name lookup, connection and TLS handshake together.
  public var connect: Duration?
  /// The longest time without data after connecting, including the wait for the first byte, and for a
  /// body stream that produces nothing.
  public var idle: Duration?
  /// One transfer from start to end, without the time in the queue.
  ///
  /// The default is 60 s for a response in memory, and no limit for a download to a file or a stream.
  public var total: Duration? {
    get { hasDefaultTotal ? Self.memoryTotal : chosenTotal }
    set {
      chosenTotal = newValue
      hasDefaultTotal = false
    }
  }
  /// The time in the queue before the first start.
  public var queue: Duration?

  private var chosenTotal: Duration?
  private var hasDefaultTotal = true

  private static let memoryTotal = Duration.seconds(60)

  /// Creates timeouts: by default 10 s to connect, 20 s without data, 60 s in total for a response in
  /// memory, and any time in the queue.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(20), queue: Duration? = nil
  ) {
    self.connect = connect
    self.idle = idle
    self.queue = queue
  }

  /// Creates timeouts including one for the whole transfer, whatever the destination of its body.
  public init(
    connect: Duration? = .seconds(10), idle: Duration? = .seconds(20), total: Duration?,
    queue: Duration? = nil
  ) {
    self.init(connect: connect, idle: idle, queue: queue)
    self.total = total
  }

  /// The timeout of a transfer whose body stays in memory or does not.
  func total(inMemory isInMemory: Bool) -> Duration? {
    hasDefaultTotal && !isInMemory ? nil : total
  }
}

/// The limits of a response.
public struct ResponseBounds: Sendable, Hashable {
  /// The maximum size of the body after decompression.
  ///
  /// The default is 64 MiB for a body in memory, and no limit for a file or a stream.
  public var bodyBytes: Int {
    get { chosenBodyBytes ?? Self.memoryBytes }
    set { chosenBodyBytes = newValue }
  }
  /// The maximum size of all header lines of one response.
  ///
  /// libcurl itself accepts no more than 300 KiB in total and 100 KiB for a line; beyond, the request
  /// fails with `HTTPError.Code.tooLarge` whatever is set here.
  public var headerBytes: Int
  /// The maximum number of redirects; 0 returns the first redirect as the response.
  public var redirects: Int

  private var chosenBodyBytes: Int?

  private static let memoryBytes = 64 << 20

  /// Creates limits: by default a body of 64 MiB in memory or any size elsewhere, 256 KiB of headers and
  /// five redirects.
  public init(headerBytes: Int = 256 << 10, redirects: Int = 5) {
    self.headerBytes = headerBytes
    self.redirects = redirects
  }

  /// Creates limits including one for the body, whatever its destination.
  public init(bodyBytes: Int, headerBytes: Int = 256 << 10, redirects: Int = 5) {
    self.init(headerBytes: headerBytes, redirects: redirects)
    chosenBodyBytes = bodyBytes
  }

  /// The limit of a body in memory or elsewhere.
  func bodyBytes(inMemory isInMemory: Bool) -> Int {
    chosenBodyBytes ?? (isInMemory ? Self.memoryBytes : .max)
  }
}
