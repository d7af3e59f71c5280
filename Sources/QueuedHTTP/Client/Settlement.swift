/// A request's result on its way to whoever waits for it.
///
/// An object, because it passes through several hands, and copying a response costs a handful of
/// reference counts.
final class Settlement: Sendable {
  /// The part of the timings that only the queue knows.
  struct History: Sendable {
    var attempts: Int
    var queuedNanoseconds: Int64
  }

  let ticket: Ticket
  private let bareResult: Result<HTTPResponse, HTTPError>
  private let history: History?

  /// - Parameter history: Completes the timings of the result; nil leaves them as they are.
  init(
    ticket: Ticket, result: consuming Result<HTTPResponse, HTTPError>, history: History? = nil
  ) {
    self.ticket = ticket
    self.bareResult = result
    self.history = history
  }

  /// The result with all its timings.
  var result: Result<HTTPResponse, HTTPError> {
    guard let history else { return bareResult }
    switch bareResult {
    case .success(var response):
      response.timings.attempts = history.attempts
      response.timings.queuedNanoseconds = history.queuedNanoseconds
      return .success(response)
    case .failure(var error):
      error.timings.attempts = history.attempts
      error.timings.queuedNanoseconds = history.queuedNanoseconds
      return .failure(error)
    }
  }
}

/// The results of one round of the worker, which delivers them at the end of the round.
///
/// Delivered one by one, each would wake a thread that has gone to sleep since the one before.
final class Outbox {
  private var settlements: [Settlement] = []

  func add(_ settlements: [Settlement]) {
    // Almost always one, and appending a whole array takes ten times as long.
    for settlement in settlements { self.settlements.append(settlement) }
  }

  /// Hands out what was added, in order.
  func empty(_ deliver: (Settlement) -> Void) {
    for settlement in settlements { deliver(settlement) }
    settlements.removeAll(keepingCapacity: true)
  }
}
