internal import Printing
internal import SafeFiles
internal import SearchModel
internal import Synchronization

/// The output of a watch, which grows poll by poll and ends once with the outcomes.
///
/// Posts follow one another from the oldest to the newest, so that the newest is the last line. A file
/// is opened anew for each poll, so that another program may move it away meanwhile.
final class WatchOutput: Sendable {
  private enum Destination: Sendable {
    case stream(any OutputStreaming)
    case file(path: String)
    /// A pipe or a device, which is opened for the first output.
    case device(path: String)
  }

  private struct State: Sendable {
    var previous: Post?
    var hasBegun = false
    var device: DescriptorStream?
  }

  private let destination: Destination
  private let printer: any PostPrinter
  private let settings: RunSettings
  private let surroundings: Surroundings
  private let state = Mutex(State())

  /// Refuses a format that cannot grow, and a file that cannot be written.
  init(_ settings: RunSettings, in surroundings: Surroundings) throws(CommandFailure) {
    if let fault = settings.appendingFault("a watch cannot go on writing") {
      throw CommandFailure(.usage, fault)
    }
    self.settings = settings
    self.surroundings = surroundings
    let run = RunPrinter(settings: settings, surroundings: surroundings, isFollowing: true)
    printer = run.printer()
    if let path = settings.outputPath {
      let absolute = surroundings.absolutePath(path)
      destination = try run.replaces(path) ? .file(path: absolute) : .device(path: absolute)
    } else {
      destination = .stream(surroundings.output)
    }
  }

  /// True if the reader has gone, so that nothing more can be written.
  var isClosed: Bool {
    switch destination {
    case .stream(let stream): stream.isClosed
    case .device: state.withLock { $0.device?.isClosed ?? false }
    case .file: false
    }
  }

  /// Writes new posts, the oldest first; when it returns, they have arrived.
  func write(_ posts: [Post], isHurried: Bool) throws {
    guard !posts.isEmpty else { return }
    try state.withLock { state in
      try write(printer.bytes(of: posts[...], after: state.previous), isHurried, &state)
      state.previous = posts.last
    }
  }

  /// Writes what ends the output, such as the outcomes.
  func end(_ outcomes: [SearchOutcome], excluded: FilterTally, isHurried: Bool) throws {
    let findings = RunResult(
      outcomes: outcomes, isIncomplete: outcomes.isIncomplete, excluded: excluded,
      now: settings.now)
    try state.withLock { state in
      try write(printer.ending(of: findings), isHurried, &state)
    }
  }

  private func write(_ bytes: [UInt8], _ isHurried: Bool, _ state: inout State) throws {
    let beginning = state.hasBegun ? [] : printer.beginning(of: RunResult(now: settings.now))
    switch destination {
    case .stream(let stream): try stream.write(beginning + bytes)
    case .device(let path):
      do throws(OutputFailure) {
        if state.device == nil { state.device = try DescriptorStream(writingTo: path) }
        try state.device?.write(beginning + bytes)
      } catch .failed(let reason) {
        throw CommandFailure(.cannotWrite, "cannot write \(path): \(reason)")
      }
    case .file(let path):
      do throws(FileWriteError) {
        let file = try FileExtension(of: path)
        // The names of columns are in the file already, unless it was moved away.
        let start = file.length > 0 ? [] : printer.beginning(of: RunResult(now: settings.now))
        let bytes = start + bytes
        if !bytes.isEmpty { try file.append(bytes, isSynced: !isHurried) }
      } catch {
        throw CommandFailure(.cannotWrite, "\(path): \(error.reason)")
      }
    }
    state.hasBegun = true
  }
}

extension [SearchOutcome] {
  /// True if posts may be missing: a search was incomplete, or no source could search for a tag.
  var isIncomplete: Bool { contains(where: \.ending.isIncomplete) || !unaskedTags.isEmpty }
}
