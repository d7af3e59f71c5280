package import FoundationEssentials

/// What a login opened, to be sent with each request; never printed.
package struct Session: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The token that requests carry.
  package let accessToken: String
  /// The token that opens the next session, where the network has such.
  package let refreshToken: String?

  /// When it ends; nil when the network does not say.
  package let expires: Date?

  package init(accessToken: String, refreshToken: String? = nil, expires: Date? = nil) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
