internal import Foundation

/// A terminal without a screen, whose output can be read back.
package struct PseudoTerminal: Sendable {
  package var columns: Int

  package init(columns: Int = 80) { self.columns = columns }

  /// Runs a program with all of its streams on the terminal, through `script` of util-linux.
  package func run(
    _ program: Program, _ arguments: [String], environment: [String: String], in folder: Folder
  ) async throws -> Program.Ended {
    let words = ([program.path] + arguments).map { word in
      "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
    let command = "stty cols \(columns) && exec \(words.joined(separator: " "))"
    return try await Program(path: "/usr/bin/script").run(
      ["--quiet", "--return", "--command", command, "/dev/null"],
      environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"].merging(environment) { $1 },
      in: folder)
  }
}
