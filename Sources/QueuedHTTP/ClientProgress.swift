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

/// How many requests of a client are where, and how those that ended did.
public struct QueueCounts: Sendable, Hashable {
  /// Waiting for a start, those of `cooling` among them.
  public var queued = 0
  /// Waiting for a start in a lane that cools down.
  public var cooling = 0
  /// Holding a slot.
  public var running = 0
  /// Waiting to be sent again.
  public var waitingToRetry = 0
  /// Ended with a response.
  public var done = 0
  /// Ended with an error that is no cancellation.
  public var failed = 0
  /// Ended by a cancellation or the shutdown.
  public var cancelled = 0

  /// Connections that were opened since the client was made.
  public var connectionsOpened = 0
  /// How often a request, or a redirect of one, went over a connection that was open.
  public var connectionsReused = 0

  /// Counts nothing.
  public init() {}

  /// Those that have not ended.
  public var underWay: Int { queued + running + waitingToRetry }
}

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
