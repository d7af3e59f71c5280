/// An author as users name one: with or without `@`, and with or without a server.
package struct AuthorName: Hashable, Sendable {
  /// In lower case and without `@` at its beginning.
  package let text: String

  package init(_ text: some StringProtocol) {
    self.text = text.drop { $0 == "@" }.lowercased()
  }

  /// Whether a handle is this author's: `amy` is `Amy`, `amy@any.example` and `amy.bsky.social`.
  package func isHandle(_ handle: String) -> Bool {
    let handle = AuthorName(handle).text
    if handle == text { return true }
    guard !text.contains("@") else { return false }
    return handle.prefix { $0 != "@" } == text || handle == text + ".bsky.social"
  }
}
