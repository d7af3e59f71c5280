internal import Foundation

/// A running process, with its streams in files so that no full pipe blocks it.
package final class RunningProgram {
  private let process: ChildProcess
  private let streams: Folder

  init(
    _ program: String, _ arguments: [String], environment: [String: String], in folder: Folder,
    input: String
  ) throws {
    streams = try Folder()
    for (name, text) in [("input", input), ("output", ""), ("errors", "")] {
      try streams.write(text, to: name)
    }
    let input = try FileHandle(forReadingFrom: URL(filePath: streams["input"]))
    let output = try FileHandle(forWritingTo: URL(filePath: streams["output"]))
    let errors = try FileHandle(forWritingTo: URL(filePath: streams["errors"]))
    process = try ChildProcess(
      program, arguments, in: folder.path, environment: environment, input: input.fileDescriptor,
      output: output.fileDescriptor, errors: errors.fileDescriptor)
    for handle in [input, output, errors] { try handle.close() }
  }

  package var identifier: Int32 { process.id }
  package var isRunning: Bool { process.isRunning }

  /// Standard error so far.
  package var errors: String {
    get throws { try streams.text(of: "errors") }
  }

  /// Standard output so far.
  package var output: String {
    get throws { try streams.text(of: "output") }
  }

  package func send(_ signal: Int32) { process.send(signal) }

  /// Waits until it has ended.
  package func ended() async throws -> Program.Ended {
    let (status, signal): (Int32?, Int32?) =
      switch await process.ended() {
      case .status(let status): (status, nil)
      case .signal(let signal): (nil, signal)
      }
    return Program.Ended(
      status: status, signal: signal, output: try streams.text(of: "output"),
      errors: try streams.text(of: "errors"))
  }
}
