/// A request that has not ended, with its attempts so far.
struct UnfinishedRequest: Sendable {
  var ticket: Ticket
  let arrival: Moment
  var priority: RequestPriority
  let deadline: Moment
  private(set) var firstStart: Moment?
  private(set) var attempts = 0
  /// The number of attempts that its retry policy counts: those after a fault, or after a response that asks for
  /// one.
  private(set) var retries = 0
  /// The number of attempts that the interceptor had repeated.
  private(set) var repeats = 0
  /// The hop that a redirect led to in another lane; nil if the next to be sent is the first.
  private(set) var redirected: Leg?
  /// Its result is that of the attempt under way: those that waited in its group were canceled.
  var isLastAttempt = false
  /// Its end is decided and on its way, so nothing else may end it.
  var isEnding = false
  /// The interceptor works for it, in a task of its own.
  var isAtInterceptor = false

  init(_ ticket: Ticket, priority: RequestPriority, arrival: Moment) {
    self.ticket = ticket
    self.priority = priority
    self.arrival = arrival
    deadline = ticket.request.deadline.map { arrival + $0 } ?? .distantFuture
  }

  /// The lane in which it waits or runs.
  var lane: Lane { (redirected?.hop).map(ticket.lane) ?? ticket.lane }

  /// The part of its timings that only the queue knows.
  var history: Settlement.History {
    Settlement.History(
      attempts: attempts,
      queuedNanoseconds: (firstStart ?? arrival).nanoseconds - arrival.nanoseconds)
  }

  /// Notes a start; returns the leg that is sent.
  mutating func start(at now: Moment) -> Leg {
    firstStart = firstStart ?? now
    guard var leg = redirected else {
      attempts += 1
      return Leg(attempt: attempts, retries: retries)
    }
    (leg.attempt, leg.retries) = (attempts, retries)
    return leg
  }

  /// Notes that a redirect leads to another lane.
  mutating func redirect(to leg: Leg) { redirected = leg }

  /// Makes the next start that of a whole attempt, which begins with the first hop.
  mutating func returnToFirstHop() { redirected = nil }

  /// Notes that another attempt follows, which its retry policy counts.
  mutating func countRetry() {
    returnToFirstHop()
    retries += 1
  }

  /// Notes that the interceptor has an attempt repeated.
  mutating func countRepeat() { repeats += 1 }

  /// Notes attempts that were sent again in their slot.
  ///
  /// - Parameter retries: How many of them the retry policy counts.
  mutating func countResends(_ count: Int, retries: Int) {
    attempts += count
    self.retries += retries
  }

  /// Takes over the attempts and the start of the transfer that it shares.
  mutating func adoptHistory(of transfer: UnfinishedRequest) {
    attempts = transfer.attempts
    if let start = transfer.firstStart { firstStart = max(start, arrival) }
  }
}
