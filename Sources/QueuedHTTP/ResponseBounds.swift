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
