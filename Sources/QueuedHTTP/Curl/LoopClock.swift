/// The time as the worker's loop last read it: the callbacks of one round share a reading.
final class LoopClock {
  var now = Moment.now
}
