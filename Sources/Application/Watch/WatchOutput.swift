internal import Printing
internal import SearchModel
internal import Synchronization

/// The output of a watch, which grows round by round and ends once with the outcomes.
///
/// Posts follow one another from the oldest to the newest, so that the newest is the last line. A file
/// is reopened for each round, so that another program may move it away meanwhile.
final class WatchOutput: Sendable {
  private let sink: OutputSink
  private let printer: any PostPrinter
  private let settings: RunSettings
  /// The last post that was written. Rounds are written one after the other (`WatchWriter`).
  private let previous = Mutex<Post?>(nil)

  /// Refuses a format that cannot grow, and a file that cannot be written.
  init(_ settings: RunSettings, in surroundings: Surroundings) throws {
    let fault = settings.output.format.appendingFault(
      "a watch cannot append", to: settings.output.path)
    if let fault {
      throw CommandFailure(.usage, fault)
    }
    self.settings = settings
    let run = RunPrinter(settings: settings, surroundings: surroundings, isFollowing: true)
    printer = run.printer()
    sink = try run.sink()
    try run.checkBeginning(of: sink)
  }

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool { sink.isClosed }

  /// Writes new posts, the oldest first; when it returns, they have arrived.
  func write(_ posts: [Post], isHurried: Bool) throws {
    guard !posts.isEmpty else { return }
    let last = previous.withLock { $0 }
    try append(printer.bytes(of: posts[...], after: last), isHurried)
    previous.withLock { $0 = posts.last }
  }

  /// Writes the end of the output, such as the outcomes.
  func end(_ outcomes: [SearchOutcome], excluded: FilterTally, isHurried: Bool) throws {
    let findings = RunResult(
      outcomes: outcomes, isIncomplete: outcomes.isIncomplete, excluded: excluded,
      now: settings.now)
    try append(printer.ending(of: findings), isHurried)
  }

  private func append(_ bytes: [UInt8], _ isHurried: Bool) throws {
    try sink.append(
      bytes, after: printer.beginning(of: RunResult(now: settings.now)), isSynced: !isHurried)
  }
}
