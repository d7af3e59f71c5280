package import FoundationEssentials
internal import QueuedHTTP
internal import TextFormats

/// A session opened by a login, sent with each request; never printed.
package struct Session: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The token that requests carry.
  package let accessToken: String
  /// The token that opens the next session, on networks that issue one.
  package let refreshToken: String?

  /// The moment at which it ends; nil if the network does not say.
  package let expires: Date?

  package init(accessToken: String, refreshToken: String? = nil, expires: Date? = nil) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Session {
  /// The end that a JSON Web Token names (RFC 7519, section 4.1.4); nil for any other token.
  ///
  /// It only decides when the next login is made.
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
