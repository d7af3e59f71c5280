/// The most that a response may cost.
public struct ResponseBounds: Sendable, Hashable {
  /// Body bytes, counted after decompression.
  public var bodyBytes: Int
  /// Bytes of all header lines of one response.
  public var headerBytes: Int
  /// Redirects that are followed; 0 hands the first one back as the response.
  public var redirects: Int

  /// Describes bounds: 64 MiB, 256 KiB and five redirects, unless told otherwise.
  public init(bodyBytes: Int = 64 << 20, headerBytes: Int = 256 << 10, redirects: Int = 5) {
    self.bodyBytes = bodyBytes
    self.headerBytes = headerBytes
    self.redirects = redirects
  }
}
