internal import CCurl

/// An absolute http or https URL, parsed the way libcurl parses it.
///
/// The same parser decides where to connect and what is the same origin, so that no URL means one thing
/// to us and another to libcurl.
struct WebAddress: Sendable, Hashable {
  let text: String
  let isSecure: Bool
  let host: String
  let port: String
  /// The scheme, host and port as one string.
  let origin: String
  /// True if it contains a user name or a password.
  let hasCredentials: Bool
  /// True if libcurl would not change a byte of it.
  let isPlain: Bool
  /// True if it is plain, and any byte of its path or query is percent-encoded.
  let isEncoded: Bool
  private let path: Substring
  private static let anyScheme = UInt32(CURLU_NON_SUPPORT_SCHEME)

  /// Parses a URL; throws `.badRequest` unless its scheme is http or https.
  init(_ text: String) throws(HTTPError) {
    if let plain = PlainAddress(text) {
      self.init(text: text, plain)
    } else {
      try self.init(parsing: text)
    }
  }

  /// Parses any URL with libcurl's parser.
  init(parsing text: String) throws(HTTPError) {
    let parser = try AddressParser([text], flags: Self.anyScheme, as: .badRequest)
    let scheme = parser.part(CURLUPART_SCHEME)
    guard Self.isHTTP(scheme) else {
      throw HTTPError(.badRequest, reason: "\(scheme): is not http or https")
    }
    self.init(text: text, scheme, parser)
  }

  /// The URL in a `Location` field, relative to this one.
  func resolving(_ location: String) throws(HTTPError) -> WebAddress {
    // A reference without a path means this very URL (RFC 3986, section 5.2.2), which old versions of libcurl miss.
    guard !location.isEmpty, !location.hasPrefix("#") else {
      return try WebAddress(String(text.prefix { $0 != "#" }) + location)
    }
    let flags = Self.anyScheme | UInt32(CURLU_URLENCODE) | UInt32(CURLU_ALLOW_SPACE)
    let parser = try AddressParser([text, location], flags: flags, as: .redirect)
    let scheme = parser.part(CURLUPART_SCHEME)
    guard Self.isHTTP(scheme) else {
      throw HTTPError(.redirect, reason: "the redirect to \(scheme): is not allowed")
    }
    return WebAddress(text: parser.part(CURLUPART_URL), scheme, parser)
  }

  private static func isHTTP(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  func hasSameOrigin(as other: WebAddress) -> Bool { origin == other.origin }

  /// True if it is on the same host by https, both on their default ports.
  func isUpgrade(of other: WebAddress) -> Bool {
    isSecure && !other.isSecure && host == other.host && port == "443" && other.port == "80"
  }

  /// Returns this URL with the user and password of another one, unless it has its own.
  func inheritingCredentials(of other: WebAddress) throws(HTTPError) -> WebAddress {
    guard other.hasCredentials, !hasCredentials, let start = Self.authority(of: text)?.lowerBound,
      let authority = Self.authority(of: other.text).map({ other.text[$0] }),
      let end = authority.lastIndex(of: "@")
    else { return self }
    return try WebAddress("\(text[..<start])\(authority[...end])\(text[start...])")
  }

  /// The range of user, host and port.
  private static func authority(of text: String) -> Range<String.Index>? {
    guard let slash = text.firstIndex(of: "/"), text[slash...].hasPrefix("//") else { return nil }
    let rest = text[slash...].dropFirst(2)
    return rest.startIndex..<(rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex)
  }

  /// The fragment with its `#`; nil if there is none.
  var fragment: Substring? { text.firstIndex(of: "#").map { text[$0...] } }

  /// The byte offsets of the path's start and end in `text`, if the URL is plain.
  var pathBytes: (start: Int, end: Int) {
    let start = text.utf8.distance(from: text.startIndex, to: path.startIndex)
    return (start, start + path.utf8.count)
  }

  /// True if it has a query that is not empty, and libcurl would not change a byte of it.
  var hasPlainQuery: Bool { isPlain && pathBytes.end + 1 < text.utf8.count }

  /// The URL without user, password, query and fragment.
  var censored: String {
    let isDefault = port == (isSecure ? "443" : "80")
    return "\(isSecure ? "https" : "http")://\(host)\(isDefault ? "" : ":\(port)")\(path)"
  }

  /// A URL without user, password, query and fragment; empty if it is malformed.
  static func censored(_ text: String) -> String {
    do throws(HTTPError) { return try WebAddress(text).censored } catch { return "" }
  }

  /// The host and port of a proxy as libcurl reads it, without user and password; nil if malformed.
  static func place(ofProxy text: String) -> String? {
    let flags = anyScheme | UInt32(CURLU_GUESS_SCHEME)
    let parser: AddressParser
    do { parser = try AddressParser([text], flags: flags, as: .proxy) } catch { return nil }
    let host = parser.part(CURLUPART_HOST)
    guard !host.isEmpty else { return nil }
    let port = parser.part(CURLUPART_PORT)
    // libcurl's own default, which is that of the scheme only for https.
    let usual = parser.part(CURLUPART_SCHEME) == "https" ? "443" : "1080"
    return "\(host):\(port.isEmpty ? usual : port)"
  }

  private init(text: String, _ scheme: String, _ parser: borrowing AddressParser) {
    self.text = text
    isSecure = scheme == "https"
    isPlain = false
    isEncoded = false
    let host = parser.part(CURLUPART_HOST)
    let isLower = !host.utf8.contains { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
    self.host = isLower ? host : host.lowercased()
    port = parser.part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT))
    path = Substring(parser.part(CURLUPART_PATH))
    origin = "\(scheme)://\(self.host):\(port)"
    hasCredentials =
      !parser.part(CURLUPART_USER).isEmpty || !parser.part(CURLUPART_PASSWORD).isEmpty
  }

  private init(text: String, _ plain: PlainAddress) {
    self.text = text
    isSecure = plain.isSecure
    hasCredentials = false
    isPlain = true
    isEncoded = plain.isEncoded
    // A plain URL is ASCII: slices of its bytes need not be checked for whole characters.
    let bytes = text.utf8
    func part(_ range: Range<Int>) -> Substring {
      let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
      return Substring(bytes[start..<bytes.index(start, offsetBy: range.count)])
    }
    host = String(part(plain.host))
    path = part(plain.path)
    let beginning = part(0..<plain.path.lowerBound)
    if plain.port.isEmpty {
      port = isSecure ? "443" : "80"
      origin = "\(beginning):\(port)"
    } else {
      port = String(part(plain.port.lowerBound..<plain.path.lowerBound))
      origin = String(beginning)
    }
  }
}

/// The owner of one of libcurl's parsed URLs.
@safe
struct AddressParser: ~Copyable {
  // Nil without memory.
  @unsafe private let handle: OpaquePointer?

  /// Parses a URL, then each further one relative to the previous one.
  ///
  /// - Parameter code: The code of the error for a malformed URL.
  init(_ steps: [String], flags: UInt32, as code: HTTPError.Code) throws(HTTPError) {
    unsafe handle = curl_url()
    guard unsafe handle != nil else {
      throw HTTPError(.transport, reason: "out of memory for an address")
    }
    for step in steps {
      guard step.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F || $0 == 0x20 && code == .redirect })
      else { throw HTTPError(code, reason: "the address contains spaces or control characters") }
      // Passing the string itself would copy it.
      let answer = unsafe step.withCString {
        unsafe curl_url_set(handle, CURLUPART_URL, $0, flags)
      }
      guard answer == CURLUE_OK else {
        throw HTTPError(code, reason: "the address is malformed")
      }
    }
  }

  deinit { unsafe curl_url_cleanup(handle) }

  /// A part of the URL; empty if it is missing.
  func part(_ which: CURLUPart, flags: UInt32 = 0) -> String {
    var value: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, which, &value, flags) == CURLUE_OK, let text = unsafe value
    else { return "" }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
