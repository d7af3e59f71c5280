internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SafeFiles
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// Passes new posts on to a command and to channels: at least once, in order, and never two processes
/// at a time.
///
/// A batch that fails stays first in its line and is tried again later, five times; then it is written
/// to a file, and the next batch follows.
final class Delivery: Sendable {
  /// A command or a channel.
  protocol Receiver: Sendable {
    /// The name by which the outbox knows it.
    var key: String { get }
    /// The name for people.
    var name: String { get }

    /// Takes lines of ndjson.
    ///
    /// - Parameter progress: Records how many of the lines were taken for good.
    /// - Returns: The reason why it failed, or nil.
    func take(
      _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void
    ) async -> String?

    /// Ends what it is doing, as the process is about to die.
    func stop()
  }

  private static let attempts = 6
  /// Batches that nobody has asked for in so many seconds are given up: a week.
  private static let longestRest = 604_800.0

  private let receivers: [any Receiver]
  private let backOff: Duration
  /// The path of the state.
  private let path: String
  private let context: Context

  /// - Parameter backOff: The wait after the second failure; it doubles with each further one.
  init(to receivers: [any Receiver], backOff: Duration, state path: String, in context: Context) {
    self.receivers = receivers
    self.backOff = backOff
    self.path = path
    self.context = context
  }

  /// The batches of posts that were printed, one for each receiver.
  ///
  /// - Parameter posts: The newest first.
  func batches(of posts: [Post], now: Date) -> [OutboxBatch] {
    guard !posts.isEmpty else { return [] }
    let bytes = NDJSONPrinter().bytes(of: posts.reversed()[...], after: nil)
    let lines = String(decoding: bytes, as: UTF8.self)
    return receivers.map { OutboxBatch(receiver: $0.key, lines: lines, created: now) }
  }

  func stop() { for receiver in receivers { receiver.stop() } }

  /// Delivers what is in the outbox; returns whether everything that was tried was taken.
  func deliver(from outbox: any HistoryStore) async -> Bool {
    do {
      let lock = try FileLock(of: "\(path).outbox")
      defer { extendLifetime(lock) }
      var isComplete = try giveUpStranded(in: outbox)
      for receiver in receivers {
        if try await !deliver(to: receiver, from: outbox) { isComplete = false }
      }
      return isComplete
    } catch {
      context.report("new posts were not passed on: \(error)")
      return false
    }
  }

  private func deliver(to receiver: any Receiver, from outbox: any HistoryStore) async throws
    -> Bool
  {
    var isComplete = true
    while var batch = try outbox.oldestBatch(for: receiver.key) {
      guard isDue(batch) else { return false }
      let lines = batch.lines.split(separator: "\n")
      let taken = Mutex(batch.taken)
      let before = batch
      let reason = await receiver.take(Array(lines.dropFirst(batch.taken)), of: batch.token) {
        count in
        let sum = taken.withLock { taken in
          taken += count
          return taken
        }
        var progress = before
        progress.taken = sum
        // A failure means that these are sent again.
        try? outbox.update(progress)
      }
      guard let reason else {
        try outbox.remove(batch)
        continue
      }
      isComplete = false
      batch.taken = taken.withLock { $0 }
      batch.failures += 1
      let count = lines.count - batch.taken
      let posts = count == 1 ? "1 post" : "\(count) posts"
      if batch.failures >= Self.attempts {
        try giveUp(
          batch, because: "\(receiver.name): \(reason); \(posts) were not delivered", from: outbox)
        continue
      }
      let wait = backOff * ((1 << (batch.failures - 1)) - 1)
      batch.retry = context.now().addingTimeInterval(wait / .seconds(1))
      try outbox.update(batch)
      context.report(
        "\(receiver.name): \(reason); \(posts) will be sent again "
          + "(attempt \(batch.failures) of \(Self.attempts))")
      return false
    }
    return isComplete
  }

  private func isDue(_ batch: OutboxBatch) -> Bool {
    guard let retry = batch.retry else { return true }
    let wait = retry.timeIntervalSince(context.now())
    // A clock that was set back must not hold up everything.
    return wait <= 0 || wait > backOff * (1 << Self.attempts) / .seconds(1)
  }

  /// Writes batches to files whose command or channel is no longer asked for.
  private func giveUpStranded(in outbox: any HistoryStore) throws -> Bool {
    let stranded = try outbox.batches(
      before: context.now().addingTimeInterval(-Self.longestRest), except: receivers.map(\.key))
    for batch in stranded {
      let name = batch.receiver.split(separator: " ").first ?? "?"
      try giveUp(batch, because: "\(name): no run has asked for it for a week", from: outbox)
    }
    return stranded.isEmpty
  }

  private func giveUp(
    _ batch: OutboxBatch, because reason: String, from outbox: any HistoryStore
  ) throws {
    let folder = try PrivateFolder(at: Self.folder(beside: path))
    let kind = batch.receiver.prefix { $0 != " " }
    let stamp = RFC3339.format(batch.created).prefix(19).replacing(":", with: "-")
    let file = PrivateFile(path: folder.file("\(stamp)-\(batch.id)-\(kind).ndjson"))
    let rest = batch.lines.split(separator: "\n").dropFirst(batch.taken)
    try file.write(Array((rest.joined(separator: "\n") + "\n").utf8))
    try outbox.remove(batch)
    context.report("\(reason); they are in \(file.path)")
  }

  /// The folder of batches that were given up.
  static func folder(beside path: String) -> String {
    let parent = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    return "\(parent)/undelivered"
  }
}

/// The command of `--exec`.
struct CommandReceiver: Delivery.Receiver {
  let command: ShellCommand
  let key: String
  let name = "--exec"

  /// - Parameter hidden: The variables that the command must not see.
  init(_ text: String, hiding hidden: Set<String>, in context: Context) {
    let environment = context.environment.filter { !hidden.contains($0.key) }
    command = ShellCommand(text, environment: environment)
    key = "exec \(text)"
  }

  func take(
    _ lines: [Substring], of batch: String, progress: @Sendable (Int) -> Void
  ) async -> String? {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    return await command.run(reading: bytes)
  }

  func stop() { command.stop() }
}
