/// Where a request's end goes.
enum Delivery: Sendable {
  case waiter(ResponseWaiter)
  case callbacks(OperationCallbacks)
  case stream(BodyStream)
  /// To the requests that share the transfer.
  case members

  var isStream: Bool {
    if case .stream = self { true } else { false }
  }

  func deliver(_ result: Result<HTTPResponse, HTTPError>) {
    switch self {
    case .waiter(let waiter): waiter.continuation.resume(returning: result)
    case .callbacks(let callbacks): callbacks.end(result)
    case .stream(let stream): stream.end(result)
    case .members: break
    }
  }
}

/// A task that waits for a response.
///
/// An object of our own, since the standard library does not fix the size of a continuation: every
/// copy of whatever holds one would go through tables that are looked up at run time.
final class ResponseWaiter: Sendable {
  let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

  init(_ continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>) {
    self.continuation = continuation
  }
}
