internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

extension Ending {
  /// The ending of a search that an error causes.
  init(_ error: any Error) {
    switch error {
    case let fault as SourceFault:
      switch fault {
      case .rateLimited(let until, let failure): self = .rateLimited(until: until, failure: failure)
      case .failed(let failure): self = .failed(failure)
      }
    case let failure as Failure: self = .failed(failure)
    case let error as HTTPError: self.init(error)
    case is CancellationError: self = .cancelled
    default: self = .failed(Failure(.permanent, message: "unexpected error: \(error)"))
    }
  }

  /// Returns whether anything came from the server before an error.
  static func hasAnswered(before error: any Error) -> Bool {
    switch error {
    case is SourceFault: true
    case let error as HTTPError: error.hasAnswered
    default: false
    }
  }

  private static func adviceAboutTLS(_ reason: String) -> String {
    if reason.contains("cannot read the file of trusted certificates") {
      return
        "check CURL_CA_BUNDLE and SSL_CERT_FILE, and that the system's certificates are installed"
    }
    if reason.hasSuffix("has expired") || reason.hasSuffix("is not valid yet") {
      return "check the date of this machine, and the certificate"
    }
    return "check the server's address and certificate, or set CURL_CA_BUNDLE to a file with "
      + "the authorities to trust"
  }

  private init(_ error: HTTPError) {
    switch error.code {
    case .cancelled, .shutDown: self = .cancelled
    case .coolingDown:
      self = .rateLimited(until: error.retryMoment, failure: .tooLongWait)
    case .tls:
      self = .failed(
        Failure(
          .permanent, message: error.reason, advice: Self.adviceAboutTLS(error.reason)))
    case .unknownEncoding:
      self = .failed(
        Failure(.permanent, message: error.reason, advice: "check the server's address"))
    case .proxy:
      self = .failed(Failure(.permanent, message: error.reason, advice: "check the proxy"))
    case .notCached:
      self = .failed(
        Failure(.permanent, message: error.reason, advice: "record the run again"))
    case .badRequest, .redirect, .tooLarge:
      self = .failed(Failure(.permanent, message: error.reason, advice: "check the address"))
    default:
      let isByProxy = error.reason.contains("the proxy ")
      self = .failed(
        Failure(
          .temporary, message: error.reason,
          advice: isByProxy ? "check the proxy" : "try again later",
          isUnreachable: error.isUnreachable, isUnanswered: error.isUnanswered))
    }
  }
}

extension Failure {
  /// A pause that is longer than the run's longest wait. Its end states the length, which differs for
  /// each search.
  static let tooLongWait = Failure(
    .temporary, message: "the server asked for a longer wait than the run allows",
    advice: "try again later")
}
