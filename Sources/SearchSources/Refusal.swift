internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel

/// An answer with another status than 200: what it means, in the network's own words.
struct Refusal {
  enum Meaning { case slowDown, temporary, permanent, credential }

  let status: Int
  let said: ErrorBody
  /// What the status means everywhere; a source that knows better changes it.
  var meaning: Meaning
  var advice: String?
  /// When it may be asked again; from the headers, unless a source reads it elsewhere.
  var until: Date?
  /// The end of the pause that `Retry-After` asks for; the other headers speak of quotas only.
  private let pauseEnd: Date?
  private let names: [String]
  private let credentials: [String]
  private let credentialAdvice: String?
  private let secrets: [String]

  /// - Parameter page: What was asked, or what a login was made for.
  init(_ response: HTTPResponse, to page: PageRequest, from traits: SourceTraits) {
    status = response.status
    said = ErrorBody(response)
    names = page.credentials?.names ?? traits.credentialNames
    credentials = page.credentials?.values ?? []
    credentialAdvice = page.credentialAdvice
    secrets = page.secrets
    let now = page.answered
    until = SlowDown.moment(in: response.headers, now: now).flatMap { $0 > now ? $0 : nil }
    pauseEnd = SlowDown.retryAfter(in: response.headers, now: now).flatMap { $0 > now ? $0 : nil }
    switch status {
    case 420, 429: meaning = .slowDown
    case 408, 500...599: meaning = .temporary
    case 401: meaning = .credential
    case _: meaning = .permanent
    }
  }

  var fault: SourceFault {
    switch meaning {
    case .slowDown: .rateLimited(until: until, failure(.temporary, "too many requests"))
    case .temporary:
      .failed(
        failure(.temporary, status == 503 ? "the server is unavailable" : "the server failed"))
    case .permanent:
      .failed(failure(.permanent, status < 400 ? "the answer has no posts" : "refused"))
    case .credential:
      .failed(
        failure(
          .credential,
          credentials.isEmpty ? "a credential is needed" : "the credential was refused"))
    }
  }

  private func failure(_ kind: Failure.Kind, _ what: String) -> Failure {
    var message = "\(what) (\(status))"
    if let words = said.words { message += ": \(words)" }
    return Failure(
      kind, status: status, message: OneLine.of(message, without: secrets),
      advice: advice ?? usualAdvice(for: kind), until: pauseEnd)
  }

  private func usualAdvice(for kind: Failure.Kind) -> String? {
    switch kind {
    case .temporary: "try again later"
    case .permanent where status == 404 || status == 410: "check the server's address"
    case .permanent: "check the query and the server's address"
    case .credential where names.isEmpty: nil
    case .credential where credentials.isEmpty:
      credentialAdvice ?? "set \(names.joined(separator: " and "))"
    case .credential: "check \(names.joined(separator: " and "))"
    }
  }
}
