/// How far all requests of a client are, taken together.
public struct ClientProgress: Sendable, Hashable {
  /// How many requests are where, and how those that ended did.
  public var counts = QueueCounts()
  /// Body bytes that came since the client was made, after decompression.
  public var bytesReceived = 0
  /// Body bytes that were handed over to be sent since the client was made.
  public var bytesSent = 0

  /// Describes a client that has done nothing.
  public init() {}

  /// How much of what was taken in so far has ended, from 0 to 1; 1 where nothing is under way.
  public var fractionEnded: Double {
    let ended = counts.done + counts.failed + counts.cancelled
    let all = ended + counts.underWay
    return all == 0 ? 1 : Double(ended) / Double(all)
  }
}
