/// The receiver of a request's result.
enum Delivery: Sendable {
  case waiter(ResponseWaiter)
  case callbacks(OperationCallbacks)
  case stream(BodyStream)
  /// The requests that share the transfer.
  case members

  var isStream: Bool {
    if case .stream = self { true } else { false }
  }

  func deliver(_ result: Result<HTTPResponse, HTTPError>) {
    switch self {
    case .waiter(let waiter): waiter.continuation.resume(returning: FinalResult(result))
    case .callbacks(let callbacks): callbacks.end(result)
    case .stream(let stream): stream.end(result)
    case .members: break
    }
  }
}

/// A task that waits for a response.
///
/// An object, because the size of a continuation is not known at compile time: every copy of a value that
/// contains one would use run-time type information.
final class ResponseWaiter: Sendable {
  let continuation: CheckedContinuation<FinalResult, Never>

  init(_ continuation: CheckedContinuation<FinalResult, Never>) { self.continuation = continuation }
}

/// A request's result on its way into the task that waits for it.
///
/// An object, because the generic functions around a continuation copy any other value by its run-time
/// type information.
final class FinalResult: Sendable {
  let result: Result<HTTPResponse, HTTPError>

  init(_ result: Result<HTTPResponse, HTTPError>) { self.result = result }
}
