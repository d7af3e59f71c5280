/// The part of an attempt that is sent in one lane: its first hop, and what went before.
struct Leg: Sendable {
  /// Nil for the request's own first hop, which most attempts begin with.
  var hop: Hop?
  /// Which attempt of the request it is, from 1 on.
  var attempt = 1
  /// How long the attempt has been running, in other lanes.
  var elapsed = Duration.zero
}
