/// A failure of a server, of the way to it, or of a statement; its message is one line.
struct PostgresError: Error, Hashable {
  enum Kind: Hashable {
    /// There is no connection, or it was lost.
    case unavailable
    /// There is a connection, and nothing comes from it.
    case silent
    /// The server refused a statement, with its SQLSTATE.
    case refused(code: String)
  }

  let kind: Kind
  let message: String

  /// True if a transaction conflicted with another one and should be retried.
  var isConflict: Bool {
    // Not serializable, a deadlock, and what another transaction has just made.
    ["40001", "40P01", "23505", "42P07"].contains { kind == .refused(code: $0) }
  }

  /// True if the password is missing or wrong.
  var isAboutPassword: Bool {
    isUnavailable
      && ["password authentication failed", "no password supplied"].contains {
        message.contains($0)
      }
  }

  /// True if the address is wrong, or the server has no such user or database: libpq gives no code to connections that
  /// fail.
  var isAboutAddress: Bool {
    let isUnknown =
      message.contains("\" does not exist")
      && ["database \"", "role \""].contains { message.contains($0) }
    return isUnavailable
      && (isUnknown
        || [
          "invalid ", "missing key/value separator", "no pg_hba.conf entry", "does not support SSL",
          "certificate verify failed", "is not permitted to log in", "authentication failed",
        ].contains { message.contains($0) })
  }

  /// True if the server canceled a statement that took too long, or waited too long for a lock.
  var isTimeout: Bool { ["57014", "55P03"].contains { kind == .refused(code: $0) } }

  /// True if a table or a schema is missing.
  var isMissingTable: Bool {
    ["42P01", "3F000"].contains { kind == .refused(code: $0) }
  }

  /// True if the server could not be reached, so that nothing was done.
  var isUnavailable: Bool {
    switch kind {
    case .unavailable, .silent: true
    // The classes of connections, and of servers that are stopped or full.
    case .refused(let code): ["08", "57P", "53300"].contains { code.hasPrefix($0) }
    }
  }

  /// The first line of libpq's words, without what it puts before each.
  init(kind: Kind, message: String) {
    self.kind = kind
    let lines = message.split(whereSeparator: \.isNewline)
    let first = lines.first.map(String.init) ?? "no reason was given"
    // The reason of a failed connection is in the last part of its line.
    self.message = first.hasPrefix("ERROR:  ") ? String(first.dropFirst(8)) : first
  }
}
