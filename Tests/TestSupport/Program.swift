internal import Foundation

/// A program that runs as a process with its own streams.
package struct Program: Sendable {
  /// The end of a process, with its output.
  package struct Ended {
    /// The exit status; nil when a signal ended it.
    package var status: Int32?
    /// The signal that ended it.
    package var signal: Int32?
    package var output: String
    package var errors: String

    /// The lines of standard output.
    package var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard output as JSON objects.
    package var objects: [[String: Any]] {
      get throws {
        try lines.map { line in
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
      }
    }
  }

  package static let searchagg = Program(product: "searchagg")
  package static let simulator = Program(product: "searchagg-sim")

  package let path: String

  package init(path: String) { self.path = path }

  /// A product of this package: it is built beside the test bundle.
  package init(product name: String) {
    path =
      URL(filePath: ProcessInfo.processInfo.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
  }

  /// Starts it in a folder, with no environment other than the given one.
  package func start(
    _ arguments: [String], environment: [String: String] = [:], in folder: Folder,
    input: String = ""
  ) throws -> RunningProgram {
    let own = [
      "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "XDG_CONFIG_HOME": folder["config"], "XDG_STATE_HOME": folder["state"],
      // Only the tests that look into the history keep one.
      "SEARCHAGG_NO_HISTORY": "true",
    ]
    // These contain the sanitizers' suppressions.
    let options = ProcessInfo.processInfo.environment.filter { name, _ in
      ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains(name)
    }
    return try RunningProgram(
      path, arguments,
      environment: own.merging(options) { _, option in option }
        .merging(environment) { _, given in given },
      in: folder, input: input)
  }

  /// Runs it to its end.
  package func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: Folder,
    input: String = ""
  ) async throws -> Ended {
    try await start(arguments, environment: environment, in: folder, input: input).ended()
  }
}
