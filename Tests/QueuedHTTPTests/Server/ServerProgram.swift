import Glibc
import TestSupport

/// A server that is a program of its own, ended with the test.
final class ServerProgram {
  private let process: ChildProcess
  private(set) var firstLines = ""

  /// Where a program stands; nil when it is not installed.
  static func path(of name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/", "/usr/sbin/"].map { $0 + name }
      .first { access($0, X_OK) == 0 }
  }

  struct Failure: Error { var words: String }

  /// Runs a program to its end.
  static func run(_ name: String, _ arguments: [String], in folder: String) throws {
    let process = try ChildProcess(path(of: name) ?? name, arguments, in: folder)
    guard process.wait() == .status(0) else {
      throw Failure(words: "\(name) \(arguments.joined(separator: " "))")
    }
  }

  /// Starts a program, and returns when its output has `mark` or it ends.
  init(
    _ name: String, _ arguments: [String], in folder: String, until mark: Regex<Substring>
  ) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure(words: "no pipe") }
    do {
      defer { close(ends[1]) }
      process = try ChildProcess(
        Self.path(of: name) ?? name, arguments, in: folder, output: ends[1])
    }
    let output = Wire(ends[0])
    while !firstLines.contains(mark) {
      guard let bytes = output.readSome() else {
        throw Failure(words: "\(name) ended: \(firstLines)")
      }
      firstLines += String(decoding: bytes, as: UTF8.self)
    }
    // What it says later is read too, lest it waits for a reader.
    Listener.thread {
      while output.readSome() != nil {}
      output.close()
    }
  }

  func stop() {
    process.kill()
    process.wait()
  }
}
