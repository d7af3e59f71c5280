internal import Printing
internal import SafeFiles
internal import SearchModel

/// Writes what a run has found: the posts where they are wanted, then the report to standard error.
struct RunPrinter {
  let settings: RunSettings
  let context: Context
  /// Whether the process is to end at once: nobody waits for a disk then.
  var isHurried = false

  /// Writes the first posts of a result before it is complete, except for those written earlier.
  func print(_ posts: ArraySlice<Post>, skipping written: Int) throws(OutputFailure) {
    let printer = settings.format.printer(style: style)
    let previous = written > 0 ? posts[posts.startIndex + written - 1] : nil
    let beginning =
      previous == nil ? printer.beginning(of: RunResult(now: settings.now)) : []
    try context.output.write(
      beginning + printer.bytes(of: posts.dropFirst(written), after: previous))
  }

  /// - Parameters:
  ///   - written: How many of the posts have been written already.
  ///   - excluded: What the run's filters left out.
  func print(
    _ posts: [Post], written: Int = 0, outcomes: [SearchOutcome], isIncomplete: Bool,
    excluded: FilterTally
  ) throws {
    let result = RunResult(
      posts: posts[...], outcomes: outcomes, isIncomplete: isIncomplete, excluded: excluded,
      now: settings.now)
    let isAnswered = !posts.isEmpty || outcomes.contains(where: \.ending.isAnswered)
    if let path = settings.outputPath, !isAnswered, try replaces(path) {
      // What an earlier run wrote there is worth more than nothing.
      context.report("\(path) was left as it was: no search was answered")
    } else if let path = settings.outputPath {
      try write(result, toFile: path)
    } else {
      try settings.format.printer(style: style).write(result, skipping: written) {
        bytes throws(OutputFailure) in try context.output.write(bytes)
      }
    }
    report(posts, outcomes, excluded)
  }

  /// How text is laid out on standard output, or plainly in a file.
  private var style: TextStyle {
    let terminal = settings.outputPath == nil ? context.outputTerminal : nil
    let isColored = settings.color.isOn(for: terminal, in: context)
    return TextStyle(
      columns: terminal?.columns, usesColor: isColored,
      usesLinks: isColored && terminal?.isCapable == true, relativeTimes: terminal != nil,
      now: settings.now)
  }

  /// Replaces a file as a whole; a pipe or a device is written to as it is.
  private func write(_ result: RunResult, toFile path: String) throws {
    let printer = settings.format.printer(style: style)
    do {
      var file = try FileReplacement(of: context.absolutePath(path))
      try printer.write(result) {
        bytes throws(FileWriteError) in try file.write(bytes)
      }
      try file.commit(isSynced: !isHurried)
    } catch .notRegular {
      do throws(OutputFailure) {
        let stream = try DescriptorStream(writingTo: context.absolutePath(path))
        try printer.write(result) {
          bytes throws(OutputFailure) in try stream.write(bytes)
        }
      } catch .failed(let reason) {
        throw CommandFailure(.cannotWrite, "\(path): cannot be written: \(reason)")
      }
    } catch {
      throw CommandFailure(.cannotWrite, "\(path): \(error.reason)")
    }
  }

  /// Refuses an output file that could not be written, before anything is asked for it.
  func checkOutput() throws(CommandFailure) {
    if let path = settings.outputPath { _ = try replaces(path) }
  }

  /// Whether a path is that of a file, there or not yet, and not of a pipe or a device, which is opened
  /// when there is something to write.
  private func replaces(_ path: String) throws(CommandFailure) -> Bool {
    do throws(FileWriteError) {
      _ = try FileReplacement(of: context.absolutePath(path))
    } catch .notRegular {
      return false
    } catch {
      throw CommandFailure(.cannotWrite, "\(path): \(error.reason)")
    }
    return true
  }

  /// Names every search that was not completed; on a terminal a closing line says it all.
  private func report(
    _ posts: [Post], _ outcomes: [SearchOutcome], _ excluded: FilterTally
  ) {
    // Quiet leaves the failures, and why nothing was answered at all: what is missing must be said.
    let isReduced = settings.isQuiet && outcomes.contains(where: \.ending.isAnswered)
    let unasked = Set(isReduced ? outcomes.unaskedTags.map(\.tag) : [])
    let told =
      isReduced
      ? outcomes.filter { $0.ending.isFailure || unasked.contains($0.tag) } : outcomes
    let lines = SummaryLines.lines(for: told, isVerbose: settings.isVerbose && !settings.isQuiet)
    for line in lines { context.report(line) }
    if !settings.isQuiet, context.errorTerminal != nil || settings.isVerbose {
      if let line = SummaryLines.leftOut(excluded) { context.report(line) }
      context.report(SummaryLines.closing(posts, outcomes: outcomes))
    }
  }
}
