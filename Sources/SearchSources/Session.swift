/// What a login opened, to be sent with each request; never printed.
package struct Session: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The token that requests carry.
  package let accessToken: String
  /// The token that opens the next session, where the network has such.
  package let refreshToken: String?

  package init(accessToken: String, refreshToken: String? = nil) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
