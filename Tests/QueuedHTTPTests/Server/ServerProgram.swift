import Foundation
import Glibc

/// A server that is a program of its own, ended with the test.
final class ServerProgram {
  private let process = Process()

  /// Where a program stands; nil when it is not installed.
  static func path(of name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/usr/sbin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  struct Failure: Error { var words: String }

  /// Runs a program to its end.
  static func run(_ name: String, _ arguments: [String], in folder: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: path(of: name) ?? "/nowhere/\(name)")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(words: "\(name) \(arguments.joined(separator: " "))")
    }
  }

  private(set) var firstLines = ""

  /// Starts a program, and returns when its output has `mark` or it ends.
  init(
    _ name: String, _ arguments: [String], in folder: String, until mark: Regex<Substring>
  ) throws {
    process.executableURL = URL(filePath: Self.path(of: name) ?? "/nowhere/\(name)")
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    while !firstLines.contains(mark) {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(words: "\(name) ended: \(firstLines)") }
      firstLines += String(decoding: data, as: UTF8.self)
    }
    // What it says later is read too, lest it waits for a reader.
    output.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
  }

  func stop() {
    // It may have inherited a thread's blocked signals, all but this one.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
