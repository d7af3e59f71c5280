/// What goes back to a client, and how.
struct Reply: Sendable {
  var answer: SimulatedAnswer
  var delivery = Delivery.whole
  /// In milliseconds, before the first byte.
  var latency = 0
  var bytesPerSecond: Int?
}
