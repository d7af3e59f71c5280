internal import FoundationEssentials
internal import QueuedHTTP
internal import TextFormats

extension Session {
  /// The moment that a JSON Web Token names as its end (RFC 7519, section 4.1.4); nil when it is no such
  /// token, or names none. Nothing rests on it but when the next login is made.
  static func expiry(ofWebToken token: String) -> Date? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].utf8.count <= 8192 else { return nil }
    // The alphabet for addresses, without the signs at the end (RFC 4648, section 5).
    let alphabet = parts[1].replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - alphabet.utf8.count % 4) % 4)
    guard let claims = Data(base64Encoded: alphabet + padding) else { return nil }
    do {
      return try HTTPBody(claims).withUnsafeBytes { bytes in
        try JSON.read(padded: bytes) { root in
          root["exp"]?.double.flatMap { EpochTime.date(seconds: $0) }
        }
      }
    } catch {
      return nil  // No token of this kind.
    }
  }
}
