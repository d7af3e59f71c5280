internal import CCurl

/// An absolute http or https address, read as libcurl reads it.
///
/// The same parser decides on where to connect and on what is the same origin, so that no address
/// can be one thing to us and another to libcurl.
struct WebAddress: Sendable, Hashable {
  let text: String
  let isSecure: Bool
  let host: String
  let port: String
  /// The scheme, host and port as one text: what requests of one server have in common.
  let origin: String
  private let path: Substring
  private static let anyScheme = UInt32(CURLU_NON_SUPPORT_SCHEME)

  /// Reads an address; throws `.badRequest` unless it is one of http or https.
  init(_ text: String) throws(HTTPError) {
    if let plain = PlainAddress(text) {
      self.init(text: text, plain)
    } else {
      try self.init(parsing: text)
    }
  }

  /// Reads an address by libcurl's parser, whatever it looks like.
  init(parsing text: String) throws(HTTPError) {
    let parser = try AddressParser([text], flags: Self.anyScheme, as: .badRequest)
    let scheme = parser.part(CURLUPART_SCHEME)
    guard Self.isWeb(scheme) else {
      throw HTTPError(.badRequest, reason: "\(scheme): is not http or https")
    }
    self.init(text: text, scheme, parser)
  }

  /// The address that a `Location` field names, seen from this one.
  func resolving(_ location: String) throws(HTTPError) -> WebAddress {
    let flags = Self.anyScheme | UInt32(CURLU_URLENCODE) | UInt32(CURLU_ALLOW_SPACE)
    let parser = try AddressParser([text, location], flags: flags, as: .redirect)
    let scheme = parser.part(CURLUPART_SCHEME)
    guard Self.isWeb(scheme) else {
      throw HTTPError(.redirect, reason: "the redirect to \(scheme): is not allowed")
    }
    return WebAddress(text: parser.part(CURLUPART_URL), scheme, parser)
  }

  private static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  func hasSameOrigin(as other: WebAddress) -> Bool { origin == other.origin }

  /// The address without user, password, query and fragment.
  var censored: String {
    let isDefault = port == (isSecure ? "443" : "80")
    return "\(isSecure ? "https" : "http")://\(host)\(isDefault ? "" : ":\(port)")\(path)"
  }

  /// An address as text, without user, password, query and fragment; empty where it is malformed.
  static func censored(_ text: String) -> String {
    do throws(HTTPError) { return try WebAddress(text).censored } catch { return "" }
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

  private init(text: String, _ scheme: String, _ parser: borrowing AddressParser) {
    self.text = text
    isSecure = scheme == "https"
    let host = parser.part(CURLUPART_HOST)
    let isLower = !host.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    self.host = isLower ? host : host.lowercased()
    port = parser.part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT))
    path = Substring(parser.part(CURLUPART_PATH))
    origin = "\(scheme)://\(self.host):\(port)"
  }

  private init(text: String, _ plain: PlainAddress) {
    self.text = text
    isSecure = plain.isSecure
    let parts = text.utf8
    let index = { parts.index(parts.startIndex, offsetBy: $0) }
    host = String(text[index(plain.host.lowerBound)..<index(plain.host.upperBound)])
    let pathStart = index(plain.path.lowerBound)
    path = text[pathStart..<index(plain.path.upperBound)]
    if plain.port.isEmpty {
      port = isSecure ? "443" : "80"
      origin = "\(text[..<pathStart]):\(port)"
    } else {
      port = String(text[index(plain.port.lowerBound)..<pathStart])
      origin = String(text[..<pathStart])
    }
  }
}

/// The owner of one of libcurl's parsed addresses.
@safe
struct AddressParser: ~Copyable {
  // Nil where there was no memory.
  @unsafe private let handle: OpaquePointer?

  /// Reads an address, and each further one as it is seen from the one before.
  ///
  /// - Parameter code: What is thrown for one that is malformed.
  init(_ steps: [String], flags: UInt32, as code: HTTPError.Code) throws(HTTPError) {
    unsafe handle = curl_url()
    guard unsafe handle != nil else {
      throw HTTPError(.transport, reason: "out of memory for an address")
    }
    for step in steps {
      guard step.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F || $0 == 0x20 && code == .redirect })
      else { throw HTTPError(code, reason: "the address contains spaces or control characters") }
      // Handed over as it is the text would be copied for it.
      let answer = unsafe step.withCString {
        unsafe curl_url_set(handle, CURLUPART_URL, $0, flags)
      }
      guard answer == CURLUE_OK else {
        throw HTTPError(code, reason: "the address is malformed")
      }
    }
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// A part of the address; empty where it has none.
  func part(_ which: CURLUPart, flags: UInt32 = 0) -> String {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, which, &value, flags) == CURLUE_OK, let text = unsafe value
    else { return "" }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
