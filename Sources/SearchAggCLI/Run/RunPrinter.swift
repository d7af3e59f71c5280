internal import Printing
internal import SafeFiles
internal import SearchModel

/// Writes what a run has found: the posts where they are wanted, then the report to standard error.
struct RunPrinter {
  let settings: RunSettings
  let context: Context

  func print(_ posts: [Post], outcomes: [SearchOutcome], isIncomplete: Bool) throws {
    if let path = settings.outputPath {
      try write(posts, outcomes, isIncomplete, toFile: path)
    } else {
      try settings.format.printer(style: style).write(
        posts, outcomes: outcomes, isIncomplete: isIncomplete
      ) { bytes throws(OutputFailure) in try context.output.write(bytes) }
    }
    report(posts, outcomes)
  }

  /// How text is laid out on standard output, or plainly in a file.
  private var style: TextStyle {
    let terminal = settings.outputPath == nil ? context.outputTerminal : nil
    let isColoured = settings.colour.isOn(for: terminal, in: context)
    return TextStyle(
      columns: terminal?.columns, usesColour: isColoured,
      usesLinks: isColoured && terminal?.isCapable == true, relativeTimes: terminal != nil,
      now: settings.now)
  }

  /// Replaces a file as a whole; a pipe or a device is written to as it is.
  private func write(
    _ posts: [Post], _ outcomes: [SearchOutcome], _ isIncomplete: Bool, toFile path: String
  ) throws {
    let printer = settings.format.printer(style: style)
    do {
      var file = try FileReplacement(of: context.absolutePath(path))
      try printer.write(posts, outcomes: outcomes, isIncomplete: isIncomplete) {
        bytes throws(FileWriteError) in try file.write(bytes)
      }
      try file.commit()
    } catch .notRegular {
      let stream = try DescriptorStream(writingTo: context.absolutePath(path))
      try printer.write(posts, outcomes: outcomes, isIncomplete: isIncomplete) {
        bytes throws(OutputFailure) in try stream.write(bytes)
      }
    } catch {
      throw CommandFailure(.cannotWrite, "\(error)")
    }
  }

  /// Names every search that was not completed; on a terminal a closing line says it all.
  private func report(_ posts: [Post], _ outcomes: [SearchOutcome]) {
    let lines = SummaryLines.lines(for: outcomes, isVerbose: settings.isVerbose)
    // Quiet leaves the failures: what is missing must be said.
    let kept = settings.isQuiet ? SummaryLines.lines(for: outcomes.filter(\.ending.isFailure)) : lines
    for line in kept { context.report(line) }
    if !settings.isQuiet, context.errorTerminal != nil || settings.isVerbose {
      context.report(SummaryLines.closing(posts, outcomes: outcomes))
    }
  }
}
