/// How far a response has come; several steps may be told as one.
public struct TransferProgress: Sendable, Hashable {
  /// Body bytes that came, as they are on the wire.
  public var received: Int
  /// Body bytes that will come, where the server said it.
  public var expected: Int?

  /// Describes a state of a transfer.
  public init(received: Int, expected: Int?) {
    self.received = received
    self.expected = expected
  }

  /// From 0 to 100, or nil where the length is unknown.
  public var percent: Double? {
    guard let expected, expected > 0 else { return nil }
    return min(100, Double(received) * 100 / Double(expected))
  }
}
