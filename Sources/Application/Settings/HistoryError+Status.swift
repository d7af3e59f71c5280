package import PostHistory

extension HistoryError {
  /// The exit status of a command that cannot do without the history.
  package var status: CommandStatus {
    if case .unavailable = self { .tryLater } else { .unreadableInput }
  }
}
