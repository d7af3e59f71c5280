internal import Synchronization

/// The bytes and connections since the client was created.
final class TrafficTotals: Sendable {
  private let received = Atomic<Int>(0)
  private let sent = Atomic<Int>(0)
  private let opened = Atomic<Int>(0)
  private let reused = Atomic<Int>(0)

  func setBytes(received: Int, sent: Int) {
    self.received.store(received, ordering: .relaxed)
    self.sent.store(sent, ordering: .relaxed)
  }

  func countConnections(opened: Int, reused: Int) {
    self.opened.wrappingAdd(opened, ordering: .relaxed)
    self.reused.wrappingAdd(reused, ordering: .relaxed)
  }

  /// Adds the connections to the counts of requests.
  func complete(_ counts: inout QueueCounts) {
    counts.connectionsOpened = opened.load(ordering: .relaxed)
    counts.connectionsReused = reused.load(ordering: .relaxed)
  }

  /// Adds the bytes to a client's progress.
  func complete(_ progress: inout ClientProgress) {
    progress.bytesReceived = received.load(ordering: .relaxed)
    progress.bytesSent = sent.load(ordering: .relaxed)
  }
}
