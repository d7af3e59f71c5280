/// A failure of the store; its description is one line.
package enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not a database, or a damaged one.
  ///
  /// - Parameters:
  ///   - kept: Where the old file is now; nil when it could not be moved.
  ///   - isSaved: Whether a new one has what could be read of it.
  case damaged(path: String, kept: String?, isSaved: Bool = false)
  /// A file of another kind, which was left as it is.
  case foreign(path: String)
  /// Written by a later version of searchagg.
  case newer(path: String, version: Int)
  /// A shared state that cannot be reached now.
  case unavailable(path: String, reason: String)
  /// A shared state that lets this user in only after something was changed.
  ///
  /// - Parameter needsPassword: Whether that is the password, and not the address.
  case rejected(path: String, reason: String, needsPassword: Bool)
  /// A shared state for which this machine lacks the client library.
  case unsupported(path: String, reason: String)
  /// Anything else, in the system's or the database's words.
  case failed(path: String, reason: String)

  package var description: String {
    switch self {
    case .damaged(let path, let kept?, let isSaved):
      "\(path): the history was damaged; it was kept as \(kept), and a new one "
        + (isSaved ? "has what could be read of it" : "is started")
    case .damaged(let path, nil, _):
      "\(path): the history is damaged; move it away to start a new one"
    case .foreign(let path):
      "\(path): this file is not a history of searchagg; name another one with --state, or move it away"
    case .newer(let path, let version):
      "\(path): written by a newer searchagg (schema \(version)); update searchagg, or name another "
        + "file with --state"
    case .unavailable(let path, let reason), .rejected(let path, let reason, _),
      .unsupported(let path, let reason), .failed(let path, let reason):
      "\(path): \(reason)"
    }
  }
}
