internal import QueuedHTTP
internal import SearchEngine

/// A transport shared by several engines: ending one engine ends no request of the others.
struct LaneTransport: TransportAdapter {
  let base: any Transport
  /// The lanes that the engine asks.
  let lanes: Set<Lane>

  func beginCancelAll() { for lane in lanes { base.cancel(group: lane.group) } }
}
