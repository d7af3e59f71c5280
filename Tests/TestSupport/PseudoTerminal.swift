internal import Foundation

/// A terminal without a screen, whose output can be read back.
package struct PseudoTerminal: Sendable {
  package var columns: Int
  /// The lines of its screen; nil if it does not say.
  package var rows: Int?

  package init(columns: Int = 80, rows: Int? = nil) { (self.columns, self.rows) = (columns, rows) }

  /// Runs a program with all of its streams on the terminal, through `script` of util-linux.
  package func run(
    _ program: Program, _ arguments: [String], environment: [String: String], in folder: Folder
  ) async throws -> Program.Ended {
    let words = ([program.path] + arguments).map { word in
      "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
    let size = "cols \(columns)" + (rows.map { " rows \($0)" } ?? "")
    let command = "stty \(size) && exec \(words.joined(separator: " "))"
    return try await Program(path: "/usr/bin/script").run(
      ["--quiet", "--return", "--command", command, "/dev/null"],
      environment: ["TERM": "xterm-256color", "SHELL": "/bin/sh"].merging(environment) { $1 },
      in: folder)
  }
}
