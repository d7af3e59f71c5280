/// How far a request has been sent and its response has come; several steps may be told as one.
public struct TransferProgress: Sendable, Hashable {
  /// Body bytes that came, as they are on the wire.
  public var received: Int
  /// Body bytes that will come, where the server said it.
  public var expected: Int?

  /// Bytes of the request's body that were sent.
  public var sent: Int
  /// Bytes of the request's body in all, where that is known.
  public var expectedToSend: Int?

  /// Describes a state of a transfer.
  public init(received: Int, expected: Int?, sent: Int = 0, expectedToSend: Int? = nil) {
    self.received = received
    self.expected = expected
    self.sent = sent
    self.expectedToSend = expectedToSend
  }

  /// How much of the request's body was sent, from 0 to 100, or nil where the length is unknown.
  public var sentPercent: Double? {
    guard let expectedToSend, expectedToSend > 0 else { return nil }
    return min(100, Double(sent) * 100 / Double(expectedToSend))
  }

  /// From 0 to 100, or nil where the length is unknown.
  public var percent: Double? {
    guard let expected, expected > 0 else { return nil }
    return min(100, Double(received) * 100 / Double(expected))
  }
}
