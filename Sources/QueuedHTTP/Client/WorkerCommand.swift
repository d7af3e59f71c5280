/// What the worker is told to do; commands are obeyed in the order in which they were decided.
enum WorkerCommand: Sendable {
  case start(Ticket, Leg)
  case remove(RequestID)
  /// Lets a transfer go on that paused since nobody took its bytes, or had none to send.
  case resume(RequestID)
  /// Ends all transfers; the number is acknowledged when that is done.
  case removeAll(UInt64)
}
