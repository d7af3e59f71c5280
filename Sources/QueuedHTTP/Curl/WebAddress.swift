internal import CCurl

/// An absolute http or https address, read as libcurl reads it.
///
/// The same parser decides on where to connect and on what is the same origin, so that no address
/// can be one thing to us and another to libcurl.
struct WebAddress: Sendable, Hashable {
  let text: String
  let scheme: String
  let host: String
  let port: String
  private let path: String
  private static let anyScheme = UInt32(CURLU_NON_SUPPORT_SCHEME)

  /// Reads an address; throws `.badRequest` for what is none of http or https.
  init(_ text: String) throws(HTTPError) {
    let parser = try AddressParser([text], flags: Self.anyScheme, as: .badRequest)
    self.init(text: text, parser)
    guard scheme == "http" || isSecure else {
      throw HTTPError(.badRequest, reason: "\(scheme): is not http or https")
    }
  }

  /// The address that a `Location` field names, seen from this one.
  func resolving(_ location: String) throws(HTTPError) -> WebAddress {
    let flags = Self.anyScheme | UInt32(CURLU_URLENCODE) | UInt32(CURLU_ALLOW_SPACE)
    let parser = try AddressParser([text, location], flags: flags, as: .redirect)
    let address = WebAddress(text: parser.part(CURLUPART_URL), parser)
    guard address.scheme == "http" || address.isSecure else {
      throw HTTPError(.redirect, reason: "redirected to \(address.scheme):, which is not followed")
    }
    return address
  }

  /// The scheme, host and port as one text: what requests of one server have in common.
  var origin: String { "\(scheme)://\(host):\(port)" }

  var isSecure: Bool { scheme == "https" }

  func hasSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// The address without user, password, query and fragment.
  var censored: String {
    let isDefault = port == (isSecure ? "443" : "80")
    return "\(scheme)://\(host)\(isDefault ? "" : ":\(port)")\(path)"
  }

  /// The host and port of a proxy as libcurl reads it, without user and password; nil for what is
  /// malformed.
  static func place(ofProxy text: String) -> String? {
    let flags = anyScheme | UInt32(CURLU_GUESS_SCHEME)
    let parser: AddressParser
    do { parser = try AddressParser([text], flags: flags, as: .proxy) } catch { return nil }
    let host = parser.part(CURLUPART_HOST)
    guard !host.isEmpty else { return nil }
    let port = parser.part(CURLUPART_PORT)
    // libcurl's own default, which is none of the scheme's but for https.
    let usual = parser.part(CURLUPART_SCHEME) == "https" ? "443" : "1080"
    return "\(host):\(port.isEmpty ? usual : port)"
  }

  private init(text: String, _ parser: borrowing AddressParser) {
    self.text = text
    scheme = parser.part(CURLUPART_SCHEME)
    let host = parser.part(CURLUPART_HOST)
    let isLower = !host.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    self.host = isLower ? host : host.lowercased()
    port = parser.part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT))
    path = parser.part(CURLUPART_PATH)
  }
}
