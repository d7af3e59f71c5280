/// An error that ends a command: an exit status, and one line that says why.
package struct CommandFailure: Error, Hashable, Sendable {
  package var exitStatus: CommandStatus
  /// The event, its object and some advice, without the name of the program.
  package var message: String

  package init(_ exitStatus: CommandStatus, _ message: String) {
    self.exitStatus = exitStatus
    self.message = message
  }
}

/// The exit statuses, on which scripts rely (`searchagg help exit-codes`).
package enum CommandStatus: Int32, Sendable, Hashable {
  case success = 0
  /// `tags`, `unmute` or `history delete` changed nothing, or nothing was found under `--fail-on-empty`.
  case nothing = 1
  /// Some searches failed, some answered.
  case partial = 2
  case usage = 64
  case malformedInput = 65
  case unreadableInput = 66
  case unavailable = 69
  case bug = 70
  case cannotWrite = 74
  case tryLater = 75
  case noCredential = 77
  case badConfiguration = 78
}
