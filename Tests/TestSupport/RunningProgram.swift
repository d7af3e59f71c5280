internal import Foundation

/// A running process, with its streams in files so that no full pipe blocks it.
package final class RunningProgram {
  private let process: Process
  private let streams: Folder
  private let exit: AsyncStream<Void>

  init(_ process: Process, input: String) throws {
    self.process = process
    streams = try Folder()
    for (name, text) in [("input", input), ("output", ""), ("errors", "")] {
      try streams.write(text, to: name)
    }
    let input = try FileHandle(forReadingFrom: URL(filePath: streams["input"]))
    let output = try FileHandle(forWritingTo: URL(filePath: streams["output"]))
    let errors = try FileHandle(forWritingTo: URL(filePath: streams["errors"]))
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    let (exit, ended) = AsyncStream.makeStream(of: Void.self)
    self.exit = exit
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    // The process outlives its end, and its handles with it; with a thousand open files Foundation reads
    // past the end of the list of descriptors when it starts another.
    for handle in [input, output, errors] { try handle.close() }
  }

  package var identifier: Int32 { process.processIdentifier }
  package var isRunning: Bool { process.isRunning }

  /// Standard error so far.
  package var errors: String {
    get throws { try streams.text(of: "errors") }
  }

  /// Standard output so far.
  package var output: String {
    get throws { try streams.text(of: "output") }
  }

  package func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits until it has ended.
  package func ended() async throws -> Program.Ended {
    for await _ in exit {}
    let isSignal = process.terminationReason == .uncaughtSignal
    return Program.Ended(
      status: isSignal ? nil : process.terminationStatus,
      signal: isSignal ? process.terminationStatus : nil,
      output: try streams.text(of: "output"), errors: try streams.text(of: "errors"))
  }
}
