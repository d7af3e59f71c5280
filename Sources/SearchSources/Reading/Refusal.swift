package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// A response that has no posts, by its status or by a rule of its network: what it means, in the network's own
/// words.
///
/// Each is read here only: the client's verdict, a new login and the outcome all follow from its
/// meaning. The status decides first, then the source's rules, then its code, which knows its network
/// best.
package struct Refusal: Sendable {
  package enum Meaning: Sendable {
    /// Too many requests.
    case slowDown
    case temporary
    case permanent
    /// The credential is missing, or was rejected.
    case credential
    /// The session has expired, so one new login is worth it.
    case expiredSession
    /// A redirect led to this server, which was not sent the credential.
    case withheldCredential(from: String)
    /// No failure: the network answers like this if there is nothing, or sends to another page.
    case page(Page)
  }

  package let status: Int
  /// The message in the body.
  package private(set) var error: ErrorBody
  package var meaning: Meaning
  package var advice: String?
  /// The moment to ask again, according to the server.
  package var until: Date?
  /// True if the stated moment has just passed: the response belongs to the pause that ends with it.
  private let isLate: Bool
  /// The moment to ask again where the server names none, by what is known of the network.
  package var usualEnd: Date?
  /// The end of the pause that `Retry-After` asks for; the other headers are about quotas only.
  private let pauseEnd: Date?
  private let names: [String]
  private let hasCredentials: Bool
  private let credentialAdvice: String?
  private let addressVariable: String?
  private let secrets: [String]

  /// The seconds since a stated moment within which the server's clock may not have reached it.
  private static let lateness = 0.0..<10

  /// - Parameters:
  ///   - page: The page that was requested, or that a login was made for.
  ///   - rules: What the network documents; the first that fits gives the response its meaning.
  init(
    _ response: HTTPResponse, to page: PageRequest, from traits: SourceTraits,
    by rules: [ErrorRule]
  ) {
    var rule: ErrorRule?
    let error = ErrorBody(response) { rule = rules.rule(for: response, to: page, $0) }
    self.init(response, error, to: page, from: traits)
    (rule ?? rules.rule(for: response, to: page, nil))?.apply(to: &self, of: page)
  }

  /// - Parameter error: The message in the response.
  init(
    _ response: HTTPResponse, _ error: ErrorBody, to page: PageRequest, from traits: SourceTraits
  ) {
    status = response.status
    self.error = error
    names = page.credentials?.names ?? traits.credentialNames
    hasCredentials = page.credentials?.values.isEmpty == false
    credentialAdvice = page.credentialAdvice
    addressVariable = page.addressVariable
    secrets = page.secrets
    let now = page.answered
    let limit = RateLimit(response.headers, now: now)
    let moment = limit.retryMoment
    isLate = moment.map { Self.lateness.contains(now.timeIntervalSince($0)) } ?? false
    // Clocks differ: a moment in the past says nothing, unless it is almost now.
    until = isLate ? now.addingTimeInterval(1) : moment.flatMap { $0 > now ? $0 : nil }
    pauseEnd = limit.retryAfter.flatMap { $0 > now ? $0 : nil }
    switch status {
    case 420, 429: meaning = .slowDown
    case 408, 500...: meaning = .temporary
    case 401: meaning = .credential
    // What stands before a server refuses with a page of HTML.
    case 403 where hasCredentials && error.isJSON: meaning = .credential
    default: meaning = .permanent
    }
  }

  /// Creates the refusal of any response that a redirect to another origin led to, where the credential is not sent.
  ///
  /// It need not be an error: many networks show strangers nothing, or less.
  package init(
    _ response: HTTPResponse, withoutCredentialOf page: PageRequest, from traits: SourceTraits
  ) {
    self.init(response, ErrorBody(), to: page, from: traits)
    meaning = .withheldCredential(
      from: ServerAddress.origin(of: response.url) ?? "another server")
  }

  /// Replaces the message, for bodies in a format of the network's own.
  mutating func state(_ words: String) { error.words = words }

  /// True if the same request may be answered later.
  var isTemporary: Bool {
    switch meaning {
    case .slowDown, .temporary: true
    case .permanent, .credential, .expiredSession, .withheldCredential, .page: false
    }
  }

  package var isExpiredSession: Bool { if case .expiredSession = meaning { true } else { false } }

  /// The verdict on this response for the client.
  package var verdict: Verdict {
    switch meaning {
    case .slowDown:
      if isLate, let until {
        .extendCoolDown(until: until)
      } else {
        .coolDown(until: until ?? usualEnd)
      }
    // Some servers send a reset header with every response; only Retry-After is about an overload.
    case .temporary where status == 503: pauseEnd.map { .coolDown(until: $0) } ?? .retry
    // Below 500 a rule of the network says that it passes.
    case .temporary where status < 500 || RetryPolicy.passingStatuses.contains(status): .retry
    case .temporary, .permanent, .credential, .expiredSession, .withheldCredential, .page: .done
    }
  }

  /// The page of a response that is no failure, or the fault.
  package var result: Result<Page, SourceFault> {
    if case .page(let page) = meaning { .success(page) } else { .failure(fault) }
  }

  var fault: SourceFault {
    switch meaning {
    case .slowDown: .rateLimited(until: until, failure(.temporary, "too many requests"))
    // RFC 6585, section 6.
    case .temporary where status == 511:
      .failed(failure(.temporary, "the internet connection requires a login"))
    case .temporary:
      .failed(
        failure(.temporary, status == 503 ? "the server is unavailable" : "the server failed"))
    // Only a proxy may answer so (RFC 9110, section 15.5.8).
    case .permanent where status == 407:
      .failed(failure(.permanent, "the proxy requires credentials"))
    case .permanent, .page:
      .failed(failure(.permanent, status < 400 ? "the response has no posts" : "refused"))
    case .credential, .expiredSession:
      .failed(
        failure(
          .credential,
          hasCredentials ? "the credential was rejected" : "a credential is needed"))
    // The status is that of the other server, which has done nothing wrong.
    case .withheldCredential(let server):
      .failed(
        Failure(
          .credential,
          message: OneLine.of(
            "the server redirects to \(server), where the credential is not sent"),
          advice: addressVariable.map { "set \($0) to that" } ?? "use that address"))
    }
  }

  private func failure(_ kind: Failure.Kind, _ what: String) -> Failure {
    var message = "\(what) (\(status))"
    // Many servers say the same again.
    if let words = error.words, words.lowercased() != what { message += ": \(words)" }
    return Failure(
      kind, status: status, message: OneLine.of(message, without: secrets),
      advice: advice ?? usualAdvice(for: kind), until: pauseEnd)
  }

  private func usualAdvice(for kind: Failure.Kind) -> String? {
    switch kind {
    case .temporary where status == 511: "log in to the local network in a browser"
    case .temporary: "try again later"
    case .permanent where status == 407: "check the proxy"
    case .permanent where status == 404 || status == 410: "check the server's address"
    case .permanent: "check the query and the server's address"
    case .credential where names.isEmpty: nil
    case .credential where hasCredentials: "check \(names.joined(separator: " and "))"
    case .credential: credentialAdvice ?? "set \(names.joined(separator: " and "))"
    }
  }
}

/// The body of an error, in any of the forms that networks use.
package struct ErrorBody: Sendable {
  /// The name of the error: Bluesky's `error`, X's `title`.
  private(set) var name: String?
  /// The kind of an RFC 9457 problem: the last part of its `type`'s path, as the rest differs.
  private(set) var problem: String?
  /// The machine-readable reason: X's `reason`, Google's `errors[0].reason`.
  private(set) var reason: String?
  /// The message for people, with name and reason; nil if there is none.
  fileprivate(set) var words: String?
  /// The wait in seconds that Discourse names in its body.
  private(set) var waitSeconds: Double?
  /// True if it is JSON, and not a proxy's page.
  private(set) var isJSON = false

  /// No message at all.
  init() {}

  /// - Parameter visit: Reads something else in the response, if it is JSON.
  init(_ response: HTTPResponse, _ visit: (JSONNode) -> Void = { _ in }) {
    // Error bodies are small; a larger one is something else.
    guard response.body.count > 0, response.body.count <= 1 << 20 else { return }
    do {
      self = try response.body.withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { root in
          visit(root)
          return ErrorBody(JSON: root)
        }
      }
    } catch {
      // The alternative texts of an error page's pictures carry no information.
      words =
        HTMLText.read(String(response.body.text.prefix(4096)), describesPictures: false).text
    }
    if words?.isEmpty == true { words = nil }
  }

  /// Reads an error within a JSON answer.
  init(JSON root: JSONNode) {
    isJSON = true
    problem = root["type"]?.string.flatMap(Self.lastPart)
    let error = root["error"]
    let ownReason = root["reason"]?.string
    reason = ownReason ?? error?.list("errors").first?["reason"]?.text
    waitSeconds = root["extras"]?["wait_seconds"]?.double
    name =
      root["title"]?.string ?? error?.string ?? error?["code"]?.identifier
      ?? root["error_name"]?.string ?? root["error_type"]?.string
    let first = root.list("errors").first
    // FastAPI has a list of details.
    let detail = root.list("detail").first?["msg"]?.string
    let told =
      detail ?? first?["message"]?.string ?? root["detail"]?.string ?? root["message"]?.string
      // Crossref has a list of messages.
      ?? root.list("message").first?["message"]?.string ?? root["errMsg"]?.string
    let others: [JSONNode?] = [
      root["error_description"], error?["message"], error?["info"], first?["detail"],
      first?["title"], first, root["error_message"], root["meta"]?["msg"], root["msg"],
      root["error_info"], root.list("errorMessages").first,
    ]
    let sentence = told ?? others.lazy.compactMap { $0?.string }.first
    var parts: [String] = []
    for part in [name, sentence, ownReason] {
      if let part, !part.isEmpty, !parts.contains(part) { parts.append(part) }
    }
    guard !parts.isEmpty else { return }
    let text = parts.joined(separator: ": ")
    // Google's messages have links.
    words = ByteSearch.contains("</a>", in: text) ? HTMLText.read(text).text : text
  }

  /// The last part of a path that is not empty.
  private static func lastPart(of path: String) -> String? {
    let slash = UInt8(ascii: "/")
    guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return nil }
    let part = path.utf8[...last]
    return String(
      Substring(part[(part.lastIndex(of: slash).map(part.index(after:)) ?? part.startIndex)...]))
  }
}
