/// One exchange of a request: the request itself, or what a redirect led to.
struct Hop: Sendable {
  var address: WebAddress
  var method: HTTPMethod
  var headers: HTTPHeaders
  var body: [UInt8]?
  var upload: UploadBody?
  var redirects = 0
  /// Fields that the cache adds, which are sent only to the first URL.
  var cacheFields = HTTPHeaders()

  /// Creates the first exchange of a request; throws `.badRequest` if it cannot be sent.
  init(_ request: borrowing HTTPRequest) throws(HTTPError) {
    address = try WebAddress(request.url)
    method = request.method
    headers = request.headers
    body = request.upload == nil ? request.body : nil
    upload = request.upload
    guard Self.isToken(method.rawValue) else {
      throw HTTPError(.badRequest, reason: "the method is malformed")
    }
    for field in headers.fields {
      guard Self.isToken(field.name) else {
        throw HTTPError(.badRequest, reason: "a header name is malformed")
      }
      guard Self.isFieldValue(field.value) else {
        throw HTTPError(.badRequest, reason: "the header \(field.name) contains control characters")
      }
    }
    if let length = upload?.length, length < 0 {
      throw HTTPError(.badRequest, reason: "the length of the body is negative")
    }
    guard method != .head || body == nil && upload == nil else {
      throw HTTPError(.badRequest, reason: "a HEAD request cannot have a body")
    }
    if case .file(_, resumes: true) = request.destination, headers["Range"] != nil {
      throw HTTPError(
        .badRequest, reason: "a download that resumes cannot have a Range field of its own")
    }
    // Only libcurl frames the body: with a wrong length here, the rest would be taken for a request.
    guard !headers.isEmpty else { return }
    headers["Content-Length"] = nil
    headers["Transfer-Encoding"] = nil
    // There is nothing whose sending could wait (RFC 9110, section 10.1.1).
    if !hasBody { headers["Expect"] = nil }
  }

  /// The fields that describe a request's content (RFC 9110, section 15.4), and the one that asks whether to send it.
  private static let contentFields = [
    "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
    "Content-Digest", "Digest", "Expect", "Last-Modified",
  ]

  /// True if a string can be the value of a field (RFC 9110, section 5.5).
  static func isFieldValue(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
  }

  /// The same exchange without `Expect`; nil if it has no such field or no body.
  var withoutExpectation: Hop? {
    guard hasBody, headers["Expect"] != nil else { return nil }
    var plain = self
    plain.headers["Expect"] = nil
    return plain
  }

  /// True if there are bytes to send.
  private var hasBody: Bool { upload != nil || body?.isEmpty == false }

  /// True if a status is a redirect (RFC 9110, section 15.4).
  static func isRedirect(_ status: Int) -> Bool {
    switch status {
    case 301, 302, 303, 307, 308: true
    default: false
    }
  }

  /// The exchange that a response leads to; nil if it is no redirect, or none that is wanted.
  func redirected(
    by status: Int, _ fields: HTTPHeaders, of request: HTTPRequest
  ) throws(HTTPError) -> Hop? {
    guard Self.isRedirect(status), request.bounds.redirects > 0, let location = fields["Location"]
    else { return nil }
    let next = try following(status, to: location, of: request)
    guard let decide = request.onRedirect else { return next }
    let redirect = Redirect(
      status: status, url: address.text, target: next.address.text, method: next.method,
      count: next.redirects)
    switch decide(redirect) {
    case .follow: return next
    case .stop: return nil
    case .refuse:
      throw HTTPError(
        .redirect, reason: "the request refused the redirect to \(next.address.censored)")
    }
  }

  /// The exchange that a redirect leads to, if the request allows it.
  func following(
    _ status: Int, to location: String, of request: HTTPRequest
  ) throws(HTTPError) -> Hop {
    guard redirects < request.bounds.redirects else {
      throw HTTPError(.redirect, reason: "redirected more than \(request.bounds.redirects) times")
    }
    var next = self
    next.redirects += 1
    next.address = try address.resolving(location)
    if next.address.hasSameOrigin(as: address) {
      next.address = try next.address.inheritingCredentials(of: address)
    }
    // A fragment is inherited (RFC 9110, section 10.2.2).
    if !location.utf8.contains(UInt8(ascii: "#")), let fragment = address.fragment {
      next.address = try WebAddress(next.address.text + fragment)
    }
    if address.isSecure, !next.address.isSecure, !request.allowsDowngrade {
      throw HTTPError(.redirect, reason: "the redirect from https to http is not allowed")
    }
    let becomesGet = status == 303 && method != .head || status < 303 && method == .post
    // What status 303 leads to is to be retrieved (RFC 9110, section 15.4.4).
    if becomesGet, status == 303 || !request.keepsMethod {
      next.method = .get
      next.body = nil
      next.upload = nil
      for name in Self.contentFields { next.headers[name] = nil }
    }
    if next.hasBody, !request.allowsBodyToOtherOrigin,
      !next.address.hasSameOrigin(as: address), !next.address.isUpgrade(of: address)
    {
      throw HTTPError(.redirect, reason: "the redirect to another server is not allowed")
    }
    if !next.address.hasSameOrigin(as: address) {
      for name in ["Host"] + Self.credentialFields(of: request) { next.headers[name] = nil }
    }
    return next
  }

  /// The fields that no redirect takes to another origin.
  fileprivate static func credentialFields(of request: HTTPRequest) -> [String] {
    ["Authorization", "Cookie", "Proxy-Authorization"] + request.secretHeaders
  }

  /// True if a string is a token of RFC 9110, section 5.6.2, as the names of fields and methods are.
  private static func isToken(_ text: String) -> Bool { HTTPField.Name(text) != nil }
}

extension HTTPRequest {
  /// Returns whether a response is one to this request without its credentials, as a redirect led to another origin.
  package func leavesCredentialsBehind(before response: HTTPResponse) -> Bool {
    // Most responses have the request's own URL, or none if they come from elsewhere.
    guard response.url != url, !response.url.isEmpty,
      Hop.credentialFields(of: self).contains(where: { headers[$0] != nil })
    else { return false }
    do throws(HTTPError) {
      return try !WebAddress(response.url).hasSameOrigin(as: WebAddress(url))
    } catch {
      return false  // No client has sent such a request.
    }
  }
}
