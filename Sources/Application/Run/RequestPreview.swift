internal import FoundationEssentials
internal import QueuedHTTP
package import SearchModel
package import SearchSources
package import TextFormats

/// Masks in place of the secrets for one server, so that none can be shown.
struct CredentialMask {
  private let credentials: Credentials?
  private let session: Session?
  /// The request that opens a session; nil for a source without sessions.
  let login: RequestPreview?

  init(_ credentials: Credentials?, of source: any Source, on server: ServerAddress) {
    let traits = source.traits
    let isMissing = credentials == nil && traits.needsCredentials
    let count = credentials?.values.count ?? (isMissing ? traits.credentialNames.count : 0)
    let masks =
      count == 0 ? nil : Credentials(Array(repeating: RequestPreview.mask, count: count))
    self.credentials = masks
    login = masks.flatMap { source.loginRequest(to: server, with: $0) }.map { RequestPreview($0) }
    session = login == nil ? nil : Session(accessToken: RequestPreview.mask)
  }

  /// Puts the masks in the place of a page's secrets.
  func cover(_ page: inout PageRequest) {
    page.credentials = credentials
    page.session = session
  }
}

/// The requests that a search would send, as far as they are known without a response.
///
/// They are made with a mask in place of each secret.
package struct SearchPreview {
  private let source: any Source
  private let page: PageRequest
  /// The request that opens a session; nil for a source without sessions.
  package let login: RequestPreview?

  /// - Parameter page: The first page.
  package init(_ page: PageRequest, of source: any Source) {
    let mask = CredentialMask(page.credentials, of: source, on: page.server)
    self.source = source
    login = mask.login
    var page = page
    mask.cover(&page)
    self.page = page
  }

  /// The request for the first page; throws the reason why there is none.
  package func first() throws(Failure) -> RequestPreview {
    RequestPreview(
      try source.request(for: page), hidesParameters: source.traits.takesWholeAddress)
  }

  /// The request for the second page; nil if it depends on the first response.
  package func second() throws(Failure) -> RequestPreview? {
    guard let cursor = source.secondPage(after: page) else { return nil }
    var page = page
    page.cursor = cursor
    return RequestPreview(
      try source.request(for: page), hidesParameters: source.traits.takesWholeAddress)
  }

  /// The most that the first page costs, for people; nil where asking is free.
  package var cost: String? { Self.cost(of: page, by: source.traits) }

  static func cost(of page: PageRequest, by traits: SourceTraits) -> String? {
    guard let cost = traits.cost else { return nil }
    let most = cost.of(posts: page.size(within: traits.pageSize))
    return "\(cost.perPost > 0 ? "up to " : "")\(most) \(cost.unit)"
  }
}

/// A request that is safe to show: secrets were replaced before it was made.
package struct RequestPreview {
  /// The replacement for a secret.
  static let mask = AddressSecrets.mask

  private let method: String
  private let url: String
  private let headers: [HTTPHeaders.Field]
  private let body: String?

  /// - Parameters:
  ///   - request: A request that was made with `mask` for each secret.
  ///   - hidesParameters: Whether its address is a user's own, and may have secrets in it.
  init(_ request: HTTPRequest, hidesParameters: Bool = false) {
    method = request.method.rawValue
    url = hidesParameters ? AddressSecrets.masked(request.url) : Self.unmasked(request.url)
    var headers = request.headers.fields
    for index in headers.indices where Self.isAuthorization(headers[index].name) {
      // Some schemes encode the mask; the name of the scheme is not secret.
      let scheme = headers[index].value.utf8.prefix { $0 != UInt8(ascii: " ") }
      headers[index].value = "\(Substring(scheme)) \(Self.mask)"
    }
    self.headers = headers
    body = request.body.map { Self.unmasked(String(decoding: $0, as: UTF8.self)) }
  }

  /// The lines of the request, without the last line break.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Appends the request as lines: method and address, headers, and the body after a blank line.
  package func append(to bytes: inout [UInt8]) {
    Self.appendPart(method, separator: UInt8(ascii: " "), to: &bytes)
    Self.appendPart(url, to: &bytes)
    for field in headers {
      Self.appendPart(field.name, separator: UInt8(ascii: ":"), to: &bytes)
      bytes.append(UInt8(ascii: " "))
      Self.appendPart(field.value, to: &bytes)
    }
    guard let body else { return }
    bytes.append(UInt8(ascii: "\n"))
    Self.appendPart(body, to: &bytes)
  }

  /// Appends a part of a line without control codes.
  private static func appendPart(
    _ part: String, separator: UInt8 = UInt8(ascii: "\n"), to bytes: inout [UInt8]
  ) {
    ControlCodes.append(part, isSingleLine: true, to: &bytes)
    bytes.append(separator)
  }

  /// Appends a line without control codes.
  static func append(_ parts: String..., to bytes: inout [UInt8]) {
    for part in parts { ControlCodes.append(part, isSingleLine: true, to: &bytes) }
    bytes.append(UInt8(ascii: "\n"))
  }

  package var json: JSONValue {
    .members([
      "method": .string(method), "url": .string(url),
      "headers": .object(headers.map { JSONMember($0.name, .string($0.value)) }),
      "body": body.map(JSONValue.string),
    ])
  }

  /// The text with the mask decoded, where an address or form has encoded it.
  private static func unmasked(_ text: String) -> String {
    // Most requests have none, and to look for characters takes longer than to make the request.
    guard ByteSearch.contains(encodedMask, in: text) else { return text }
    return ByteSearch.replacing(encodedMask, in: text, with: mask)
  }

  private static func isAuthorization(_ name: String) -> Bool {
    name.utf8.count == authorization.utf8.count && name.lowercased() == authorization
  }

  private static let authorization = "authorization"
  private static let encodedMask = PercentEncoding.encode(mask)
}
