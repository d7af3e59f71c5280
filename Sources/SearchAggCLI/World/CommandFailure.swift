/// What ends a command early: an exit status, and the one line that says why.
package struct CommandFailure: Error, Hashable, Sendable {
  package var status: CommandStatus
  /// What happened, to what, and what to do; without the command's name before it.
  package var message: String

  package init(_ status: CommandStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
