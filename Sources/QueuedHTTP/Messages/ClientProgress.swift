/// The combined progress of all requests of a client.
public struct ClientProgress: Sendable, Hashable {
  /// The number of requests in each state.
  public var counts = QueueCounts()
  /// Body bytes received since the client was created, after decompression.
  public var bytesReceived = 0
  /// Body bytes passed on for sending since the client was created.
  public var bytesSent = 0

  /// Creates the progress of an unused client.
  public init() {}

  /// The fraction of all submitted requests that have ended, from 0 to 1; 1 if none is in progress.
  public var fractionEnded: Double {
    let ended = counts.done + counts.failed + counts.cancelled
    let all = ended + counts.underWay
    return all == 0 ? 1 : Double(ended) / Double(all)
  }
}

/// The number of a client's requests in each state.
public struct QueueCounts: Sendable, Hashable {
  /// Waiting for a start, including `cooling`.
  public var queued = 0
  /// Waiting for a start in a lane that is cooling down.
  public var cooling = 0
  /// Holding a slot.
  public var running = 0
  /// Waiting to be sent again.
  public var waitingToRetry = 0
  /// Ended with a response.
  public var done = 0
  /// Ended with an error other than a cancellation.
  public var failed = 0
  /// Canceled, or ended by the shutdown.
  public var cancelled = 0

  /// Connections opened since the client was created.
  public var connectionsOpened = 0
  /// Requests and redirects that used a connection that was already open.
  public var connectionsReused = 0

  /// Creates counts of zero.
  public init() {}

  /// Requests that have not ended.
  public var underWay: Int { queued + running + waitingToRetry }
}

/// The progress of one transfer; several steps may be combined into one.
public struct TransferProgress: Sendable, Hashable {
  /// Body bytes received, before decompression; of a download that is resumed, including those that
  /// were already there.
  ///
  /// The response to a request with a body is reported only if it is larger than 64 KiB.
  public var received: Int
  /// The total number of body bytes to receive; nil if unknown.
  public var expected: Int?

  /// Bytes of the request body that were sent.
  public var sent: Int
  /// The size of the request body; nil if unknown.
  public var expectedToSend: Int?

  /// Creates a progress.
  public init(received: Int, expected: Int?, sent: Int = 0, expectedToSend: Int? = nil) {
    self.received = received
    self.expected = expected
    self.sent = sent
    self.expectedToSend = expectedToSend
  }

  /// The number of bytes of a body of which some are there already; nil if the size of the rest is unknown, or one
  /// that no file can have.
  static func whole(of present: Int, _ rest: Int) -> Int? {
    let (sum, isBeyond) = present.addingReportingOverflow(rest)
    return rest > 0 && !isBeyond ? sum : nil
  }

  /// The percentage of the request body that was sent, or nil if its size is unknown.
  public var sentPercent: Double? {
    guard let expectedToSend, expectedToSend > 0 else { return nil }
    return min(100, Double(sent) * 100 / Double(expectedToSend))
  }

  /// The percentage of the response body that was received, or nil if its size is unknown.
  public var percent: Double? {
    guard let expected, expected > 0 else { return nil }
    return min(100, Double(received) * 100 / Double(expected))
  }
}
