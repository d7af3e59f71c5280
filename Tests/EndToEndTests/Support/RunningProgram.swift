import Foundation

/// A process that runs, with its streams in files, so that no full pipe ever holds it up.
final class RunningProgram {
  private let process: Process
  private let outputURL: URL
  private let errorsURL: URL
  private let exit: AsyncStream<Void>

  init(_ process: Process, in folder: Folder, input: String) throws {
    self.process = process
    let streams = folder.url.appendingPathComponent("streams-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    outputURL = streams.appendingPathComponent("output")
    errorsURL = streams.appendingPathComponent("errors")
    let inputURL = streams.appendingPathComponent("input")
    try Data(input.utf8).write(to: inputURL)
    for url in [outputURL, errorsURL] { try Data().write(to: url) }
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorsURL)
    let (exit, ended) = AsyncStream.makeStream(of: Void.self)
    self.exit = exit
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
  }

  var identifier: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  var errors: String { (try? String(contentsOf: errorsURL, encoding: .utf8)) ?? "" }
  var output: String { (try? String(contentsOf: outputURL, encoding: .utf8)) ?? "" }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits until it has ended.
  func ended() async throws -> Program.Ended {
    for await _ in exit {}
    let isSignal = process.terminationReason == .uncaughtSignal
    return Program.Ended(
      status: isSignal ? nil : process.terminationStatus,
      signal: isSignal ? process.terminationStatus : nil,
      output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self))
  }
}
