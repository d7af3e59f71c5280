/// Where a request's end goes.
enum Delivery: Sendable {
  case continuation(CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>)
  case callbacks(OperationCallbacks)
  case stream(BodyStream)
  /// To the requests that share the transfer.
  case members

  var isStream: Bool {
    if case .stream = self { true } else { false }
  }

  func deliver(_ result: Result<HTTPResponse, HTTPError>) {
    switch self {
    case .continuation(let continuation): continuation.resume(returning: result)
    case .callbacks(let callbacks): callbacks.end(result)
    case .stream(let stream): stream.end(result)
    case .members: break
    }
  }
}
