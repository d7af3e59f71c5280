import Foundation

/// One of the built programs, run as a user runs it: as a process with its own streams.
struct Program {
  /// How a process ended, and what it had written.
  struct Ended {
    /// The exit status; nil when a signal ended it.
    var status: Int32?
    /// The signal that ended it.
    var signal: Int32?
    var output: String
    var errors: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard output as JSON objects.
    var objects: [[String: Any]] {
      get throws {
        try lines.map { line in
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
      }
    }
  }

  static let searchagg = Program(product: "searchagg")
  static let simulator = Program(product: "searchagg-sim")

  let url: URL

  init(path: String) { url = URL(fileURLWithPath: path) }

  /// A product of this package: it is built beside the test bundle.
  init(product name: String) {
    url = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
      .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(name)
  }

  /// Starts it in a folder, with nothing of the environment but what is given.
  func start(
    _ arguments: [String], environment: [String: String] = [:], in folder: Folder,
    input: String = ""
  ) throws -> RunningProgram {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let own = [
      "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "XDG_CONFIG_HOME": "\(folder.path)/config", "XDG_STATE_HOME": "\(folder.path)/state",
    ]
    process.environment = own.merging(environment) { _, given in given }
    return try RunningProgram(process, in: folder, input: input)
  }

  /// Runs it to its end.
  func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: Folder,
    input: String = ""
  ) async throws -> Ended {
    try await start(arguments, environment: environment, in: folder, input: input).ended()
  }
}
