package import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SearchEngine
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// Passes new posts on to a command and to channels: at least once, and to each of them in order and by
/// one process at a time.
///
/// A batch that fails is tried again later, up to five times, before the next one; then it is written to
/// a file, as are posts that a channel refuses while it takes others. The receivers do not wait for one another.
package final class Delivery: Sendable {
  /// A command or a channel.
  package protocol Receiver: Sendable {
    /// The name by which the outbox knows it.
    var key: String { get }
    /// The name for people.
    var name: String { get }

    /// Takes lines of ndjson.
    ///
    /// - Parameters:
    ///   - progress: Notes how many of the lines, after those so far, were taken for good.
    ///   - refuse: Puts as many lines aside, after those so far, as are refused whenever they are sent; returns
    ///     the failure if they cannot be put aside.
    /// - Returns: The failure; nil if all were taken or put aside.
    func take(
      _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void,
      refuse: @Sendable (Int, _ reason: String) -> Failure?
    ) async -> Failure?

    /// Stops its work, and takes nothing more.
    func stop()
  }

  /// The reason a receiver did not take everything.
  package struct Failure: Sendable {
    package let reason: String
    /// The moment before which it asks for nothing more.
    package let until: Date?
    /// True if the same batch may be taken later.
    package let isTemporary: Bool
    /// True if the receiver was sent too much, which is not the fault of the batch.
    package let isRateLimit: Bool

    package init(
      _ reason: String, until: Date? = nil, isTemporary: Bool = false, isRateLimit: Bool = false
    ) {
      (self.reason, self.until) = (reason, until)
      (self.isTemporary, self.isRateLimit) = (isTemporary, isRateLimit)
    }
  }

  /// The reason delivery stopped early; the receivers did not fail.
  private enum Halt: String {
    case timeIsUp = "time is up"
    case interruption = "interrupted"
  }

  private static let attempts = 6
  /// The age in seconds, two days, up to which an attempt that meets a rate limit does not count: some limits are
  /// those of a day.
  private static let longestLimit = 172_800.0
  /// The longest pause in seconds that a receiver may ask for, a day.
  private static let longestPause = 86_400.0
  /// The age in seconds, a week, at which batches that no run delivers are given up.
  private static let longestRest = 604_800.0
  /// The time between two looks at whether another process has finished.
  private static let pollInterval = Duration.milliseconds(50)

  let receivers: [any Receiver]
  private let backOff: Duration
  private let surroundings: Surroundings
  private let halt = Mutex<Halt?>(nil)
  private let waitsForOthers = Mutex(true)
  /// The last time at which a watch has tidied the outbox.
  private let tidied = Mutex<Date?>(nil)
  /// The attempts at each waiting batch that have been reported.
  private let announced = Mutex<[Int64: Int]>([:])

  /// - Parameter backOff: The wait after the second failure; after the nth it is 2ⁿ⁻¹ − 1 times as long.
  package init(
    to receivers: [any Receiver], backOff: Duration, in surroundings: Surroundings
  ) {
    self.receivers = receivers
    self.backOff = backOff
    self.surroundings = surroundings
  }

  /// The batches of posts that were printed, one for each receiver.
  ///
  /// - Parameter posts: The newest first.
  func batches(of posts: [Post], now: Date) -> [OutboxBatch] {
    guard !posts.isEmpty else { return [] }
    let bytes = NDJSONPrinter().bytes(of: posts.oldestFirst[...], after: nil)
    let lines = String(decoding: bytes, as: UTF8.self)
    return receivers.map { OutboxBatch(receiver: $0.key, lines: lines, created: now) }
  }

  /// Stops the receivers, as the process is about to die.
  func stop() { stop(because: .interruption) }

  private func stop(because reason: Halt) {
    halt.withLock { $0 = $0 ?? reason }
    for receiver in receivers { receiver.stop() }
  }

  /// Stops waiting for another process that is delivering, and leaves those batches to it.
  func stopWaiting() { waitsForOthers.withLock { $0 = false } }

  /// Delivers what is in the outbox to all receivers at once; returns whether everything that was tried
  /// was taken.
  ///
  /// - Parameter limit: The time that it may take; what is left then stays in the outbox.
  func deliver(from outbox: any HistoryStore, within limit: Duration? = nil) async -> Bool {
    // A receiver returns whether it took everything; the timer returns nil.
    await withTaskGroup(of: Bool?.self) { group in
      for receiver in receivers {
        group.addTask { await self.deliver(to: receiver, from: outbox) }
      }
      if let limit {
        group.addTask {
          await self.surroundings.steadyClock.sleep(limit)
          if !Task.isCancelled { self.stop(because: .timeIsUp) }
          return nil
        }
      }
      var isComplete = tidy(outbox)
      var left = receivers.count
      for await case let hasTaken? in group {
        isComplete = isComplete && hasTaken
        left -= 1
        if left == 0 { group.cancelAll() }
      }
      return isComplete
    }
  }

  /// Tidies the outbox of a watch, which may run for months.
  func tidyDaily(_ outbox: any HistoryStore) {
    let now = surroundings.now()
    let isDue = tidied.withLock { tidied in
      let isDue = tidied.map { abs(now.timeIntervalSince($0)) >= 86_400 } ?? true
      if isDue { tidied = now }
      return isDue
    }
    if isDue { _ = tidy(outbox) }
  }

  /// Names the batches that no run asks for any more, and gives up the old ones; returns whether there
  /// was none of these.
  func tidy(_ outbox: any HistoryStore) -> Bool {
    do {
      if let line = try StrandedBatches(in: outbox, except: receivers, now: surroundings.now()).line
      {
        surroundings.report(line)
      }
      return try giveUpStranded(in: outbox)
    } catch {
      surroundings.report("\(error)")
      return false
    }
  }

  /// Delivers what is in the outbox to one receiver.
  func deliver(to receiver: any Receiver, from outbox: any HistoryStore) async -> Bool {
    do {
      guard let lock = try await lock(of: receiver, in: outbox) else {
        surroundings.report(
          "\(receiver.name): another run is still passing posts on; a later run will send the rest")
        return false
      }
      defer { extendLifetime(lock) }
      return try await deliverInOrder(to: receiver, from: outbox)
    } catch {
      surroundings.report("new posts were not passed on: \(error)")
      return false
    }
  }

  /// Waits until no other process delivers to a receiver; nil if time is up before.
  private func lock(
    of receiver: any Receiver, in outbox: any HistoryStore
  ) async throws -> (any DeliveryLock)? {
    while true {
      if let lock = try outbox.deliveryLock(for: receiver.key) { return lock }
      guard waitsForOthers.withLock({ $0 }), halt.withLock({ $0 == nil }), !Task.isCancelled else {
        return nil
      }
      await surroundings.steadyClock.sleep(Self.pollInterval)
    }
  }

  private func deliverInOrder(
    to receiver: any Receiver, from outbox: any HistoryStore
  ) async throws -> Bool {
    var isComplete = true
    while let batch = try outbox.oldestBatch(for: receiver.key) {
      if let wait = wait(of: batch) {
        announce(batch, to: receiver, in: wait)
        return false
      }
      let (rest, isWhole, failure) = await send(batch, to: receiver, from: outbox)
      isComplete = isComplete && isWhole
      guard let failure else {
        try remove(batch, from: outbox)
        continue
      }
      isComplete = false
      let (posts, reason) = (Self.posts(in: rest), failure.reason)
      if let halt = halt.withLock(\.self) {
        surroundings.report("\(receiver.name): \(halt.rawValue); the next run will send \(posts)")
        return false
      }
      if rest.failures >= Self.attempts {
        let undelivered = Self.undelivered(rest.waiting.count)
        try giveUp(
          rest, because: "\(receiver.name): \(reason); \(undelivered)", from: outbox)
        continue
      }
      try outbox.update(rest)
      let isNew = isNews(rest)
      if rest.failures > batch.failures {
        surroundings.report(
          "\(receiver.name): \(reason); \(posts) will be sent again "
            + "(attempt \(rest.failures) of \(Self.attempts))")
      } else if isNew {
        surroundings.report("\(receiver.name): \(reason); \(posts) will be sent again")
      }
      return false
    }
    return isComplete
  }

  /// Hands a batch to a receiver; returns the change of the outbox, whether nothing was refused, and why it failed.
  private func send(
    _ batch: OutboxBatch, to receiver: any Receiver, from outbox: any HistoryStore
  ) async -> (rest: OutboxBatch, isWhole: Bool, failure: Failure?) {
    let progress = Mutex((batch: batch, isWhole: true))
    @Sendable func advance(_ count: Int) {
      let current = progress.withLock { progress in
        progress.batch.taken += count
        return progress.batch
      }
      // A failure means that these are sent again.
      try? outbox.update(current)
    }
    let failure = await receiver.take(
      Array(batch.waiting), of: batch.token, progress: advance
    ) { count, reason in
      let current = progress.withLock { progress in
        progress.isWhole = false
        return progress.batch
      }
      do {
        let place = try self.putAside(current, first: count, from: outbox)
        self.surroundings.report(
          "\(receiver.name): \(reason); \(Self.undelivered(count)) \(place)")
      } catch {
        let posts = count == 1 ? "the post" : "\(count) posts"
        return Failure("\(reason); cannot put \(posts) aside: \(error.shown)")
      }
      advance(count)
      return nil
    }
    var (rest, isWhole) = progress.withLock { $0 }
    let now = surroundings.now()
    let isFault =
      failure?.isRateLimit != true
      || now.timeIntervalSince(batch.created) >= Self.longestLimit
    if isFault { rest.failures += 1 }
    let wait = backOff * ((1 << (isFault ? rest.failures - 1 : 1)) - 1)
    let asked = failure?.until.map { min($0.timeIntervalSince(now), Self.longestPause) } ?? 0
    rest.retry = now.addingTimeInterval(max(wait / .seconds(1), asked))
    return (rest, isWhole, failure)
  }

  /// The time until a batch may be tried again; nil for at once.
  private func wait(of batch: OutboxBatch) -> Duration? {
    guard let retry = batch.retry else { return nil }
    let wait = Duration.seconds(retry.timeIntervalSince(surroundings.now()))
    // A clock that was set back must not delay a batch for long.
    let longest = max(backOff * (1 << Self.attempts), .seconds(Self.longestPause))
    return wait <= .zero || wait > longest ? nil : wait
  }

  /// Says once that a batch waits.
  private func announce(_ batch: OutboxBatch, to receiver: any Receiver, in wait: Duration) {
    guard isNews(batch) else { return }
    surroundings.report(
      "\(receiver.name): the next attempt to send \(Self.posts(in: batch)) is in "
        + wait.roundedUpToSeconds.inWords)
  }

  /// Returns whether nothing was said about a batch since its last attempt, and counts it as said.
  private func isNews(_ batch: OutboxBatch) -> Bool {
    announced.withLock { $0.updateValue(batch.failures, forKey: batch.id) } != batch.failures
  }

  private static func posts(in batch: OutboxBatch) -> String {
    Plural.count(batch.waiting.count, "post")
  }

  /// The beginning of a sentence that names a file.
  private static func undelivered(_ count: Int) -> String {
    count == 1
      ? "1 post was not delivered; it is in" : "\(count) posts were not delivered; they are in"
  }

  /// Writes batches to files whose command or channel is no longer asked for.
  private func giveUpStranded(in outbox: any HistoryStore) throws -> Bool {
    let stranded = try outbox.batches(
      before: surroundings.now().addingTimeInterval(-Self.longestRest), except: receivers.map(\.key)
    )
    for batch in stranded {
      // Another process holds the lock because it is delivering this batch now.
      guard let lock = try outbox.deliveryLock(for: batch.receiver) else { continue }
      defer { extendLifetime(lock) }
      let name = batch.receiver.split(separator: " ").first ?? "?"
      let reason = "\(name): no run has used this receiver for a week; its posts are in"
      try giveUp(batch, because: reason, from: outbox)
    }
    return stranded.isEmpty
  }

  private func giveUp(
    _ batch: OutboxBatch, because reason: String, from outbox: any HistoryStore
  ) throws {
    let place = try putAside(batch, from: outbox)
    try remove(batch, from: outbox)
    surroundings.report("\(reason) \(place)")
  }

  private func remove(_ batch: OutboxBatch, from outbox: any HistoryStore) throws {
    try outbox.remove(batch)
    announced.withLock { $0[batch.id] = nil }
  }

  /// Writes the posts of a batch that were not taken to a file; returns its path.
  ///
  /// - Parameter count: The number of the first of them; nil for all.
  private func putAside(
    _ batch: OutboxBatch, first count: Int? = nil, from outbox: any HistoryStore
  ) throws -> String {
    return try outbox.keep(
      UndeliveredPosts(
        Array(batch.waiting.prefix(count ?? .max)), of: batch,
        from: count == nil ? nil : batch.taken + 1))
  }
}
