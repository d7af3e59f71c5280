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

  /// Reads an address; throws `.badRequest` for what is none of http or https.
  init(_ text: String) throws(HTTPError) {
    let parts = try Self.parse([text], flags: UInt32(CURLU_NON_SUPPORT_SCHEME), as: .badRequest)
    guard parts.scheme == "http" || parts.scheme == "https" else {
      throw HTTPError(.badRequest, reason: "\(parts.scheme): is not http or https")
    }
    self.init(text: text, parts: parts)
  }

  /// The address that a `Location` field names, seen from this one.
  func resolving(_ location: String) throws(HTTPError) -> WebAddress {
    let flags =
      UInt32(CURLU_NON_SUPPORT_SCHEME) | UInt32(CURLU_URLENCODE) | UInt32(CURLU_ALLOW_SPACE)
    let parts = try Self.parse([text, location], flags: flags, as: .redirect)
    guard parts.scheme == "http" || parts.scheme == "https" else {
      throw HTTPError(.redirect, reason: "redirected to \(parts.scheme):, which is not followed")
    }
    return WebAddress(text: parts.url, parts: parts)
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
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME) | UInt32(CURLU_GUESS_SCHEME)
    guard let parts = try? parse([text], flags: flags, as: .proxy), !parts.host.isEmpty else {
      return nil
    }
    // libcurl's own default, which is none of the scheme's but for https.
    let usual = parts.scheme == "https" ? "443" : "1080"
    return "\(parts.host):\(parts.statedPort.isEmpty ? usual : parts.statedPort)"
  }

  private init(text: String, parts: Parts) {
    self.text = text
    scheme = parts.scheme
    let isLower = !parts.host.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    host = isLower ? parts.host : parts.host.lowercased()
    port = parts.port
    path = parts.path
  }

  private struct Parts {
    var url: String
    var scheme: String
    var host: String
    var port: String
    var statedPort: String
    var path: String
  }

  private static func parse(
    _ steps: [String], flags: UInt32, as code: HTTPError.Code
  ) throws(HTTPError) -> Parts {
    guard let handle = unsafe curl_url() else {
      throw HTTPError(.transport, reason: "no memory for an address")
    }
    defer { unsafe curl_url_cleanup(handle) }
    for step in steps {
      guard step.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F || $0 == 0x20 && code == .redirect })
      else { throw HTTPError(code, reason: "the address has blanks or control characters") }
      guard unsafe curl_url_set(handle, CURLUPART_URL, step, flags) == CURLUE_OK else {
        throw HTTPError(code, reason: "the address is malformed")
      }
    }
    func part(_ which: CURLUPart, _ flags: UInt32 = 0) -> String {
      var value: UnsafeMutablePointer<CChar>?
      guard unsafe curl_url_get(handle, which, &value, flags) == CURLUE_OK,
        let text = unsafe value
      else { return "" }
      defer { unsafe curl_free(text) }
      return unsafe String(cString: text)
    }
    return Parts(
      url: part(CURLUPART_URL), scheme: part(CURLUPART_SCHEME), host: part(CURLUPART_HOST),
      port: part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)),
      statedPort: part(CURLUPART_PORT), path: part(CURLUPART_PATH))
  }
}
