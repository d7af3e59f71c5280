/// The time when the worker's loop last read the clock: all callbacks of one round share a reading.
final class LoopClock {
  var now = Moment.now
  /// A moment that a callback asks for, at which transfers are to be checked.
  var alarm = Moment.distantFuture
}

/// The body bytes that all transfers of a loop have moved so far.
final class LoopTraffic {
  var received = 0
  var sent = 0
}
