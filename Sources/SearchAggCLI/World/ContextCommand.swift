package import Application
package import ArgumentParser

/// A command that runs in a world that is handed to it.
package protocol ContextCommand: ParsableCommand {
  /// Runs it and returns the exit status, or throws a `CommandFailure`.
  func run(in context: Context) async throws -> CommandStatus
}
