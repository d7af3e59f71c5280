/// What the worker is told to do; commands are obeyed in the order in which they were decided.
enum WorkerCommand: Sendable {
  case start(Ticket)
  case remove(RequestID)
  /// Ends all transfers; the number is acknowledged when that is done.
  case removeAll(UInt64)
}
