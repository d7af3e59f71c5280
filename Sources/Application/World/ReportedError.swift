package import ExchangeRecording
package import PostHistory
package import SafeFiles
package import SearchModel
package import SearchSources
package import TextFormats

/// An error that users read: it ends a command with an exit status and one line.
///
/// Commands let such errors through; the command line's runner reports them. The words in their names:
///
/// | word | meaning |
/// | --- | --- |
/// | error | something could not be read, written or understood |
/// | failure | a command, a search or a request ended without its result |
/// | fault | a mistake in what somebody wrote or sent |
/// | refusal | something possible was declined, and nothing changed |
package protocol ReportedError: Error {
  var exitStatus: CommandStatus { get }
  /// The event, its object and some advice, without the name of the program; nil where nothing needs to
  /// be said.
  var line: String? { get }
}

/// An error about a file or another text that the user may know by another name.
package protocol NameableError: ReportedError {
  /// The line without the name.
  var reason: String { get }
}

extension NameableError {
  package var line: String? { reason }
}

/// Runs `body`; an error about a file or text is reported under the name that the user knows.
///
/// - Parameter status: The exit status; nil for the error's own.
package func naming<Value: ~Copyable>(
  _ name: String, failingWith status: CommandStatus? = nil, _ body: () throws -> Value
) throws -> Value {
  do {
    return try body()
  } catch let error as any NameableError {
    throw CommandFailure(of: error, about: name, status)
  }
}

extension Error {
  /// The line for users, also of an error that should not have reached them.
  package var shown: String { (self as? any ReportedError)?.line ?? "\(self)" }
}

extension CommandFailure: ReportedError {
  package var line: String? { message }

  /// The failure of a command because of an error, under the name that the user knows.
  ///
  /// - Parameter status: The exit status; nil for the error's own.
  package init(of error: any NameableError, about name: String, _ status: CommandStatus? = nil) {
    self.init(status ?? error.exitStatus, "\(name): \(error.reason)")
  }
}

extension FileReadError: NameableError {
  package var exitStatus: CommandStatus {
    if case .tooLarge = self { .malformedInput } else { .unreadableInput }
  }
  package var line: String? { description }
}

extension FileWriteError: NameableError {
  package var exitStatus: CommandStatus { .cannotWrite }
  package var line: String? { description }
}

extension DocumentError: NameableError {
  package var exitStatus: CommandStatus { .malformedInput }
  package var reason: String { description }
}

extension Failure: NameableError {
  package var exitStatus: CommandStatus { kind == .credential ? .noCredential : .unavailable }
  package var reason: String { advice.map { "\(message): \($0)" } ?? message }
}

extension SourceFault: NameableError {
  private var failure: Failure {
    switch self {
    case .rateLimited(_, let failure), .failed(let failure): failure
    }
  }

  package var exitStatus: CommandStatus { .unavailable }
  package var reason: String { failure.message }
}

extension HistoryError: ReportedError {
  package var exitStatus: CommandStatus {
    switch self {
    case .unavailable: .tryLater
    case .rejected(_, _, let needsPassword): needsPassword ? .noCredential : .badConfiguration
    case .unsupported: .unavailable
    case .foreign: .malformedInput
    case .damaged, .newer, .failed: .unreadableInput
    }
  }
  package var line: String? { description }
}

extension ExchangeReplay.UnreadableArchive: ReportedError {
  package var exitStatus: CommandStatus { .malformedInput }
  package var line: String? { description }
}
