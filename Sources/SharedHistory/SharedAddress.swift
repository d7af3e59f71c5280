/// The address of a shared state, as PostgreSQL's client library reads it: `postgresql://…`.
package struct SharedAddress: Hashable, Sendable {
  /// The whole address, for the library alone.
  let text: String
  /// The address without passwords, for people.
  package let name: String
  /// True if a password is in it.
  package var hasPassword: Bool { !secrets.isEmpty }
  /// The secret parts.
  private let secrets: [String]
  /// True if the library would read it in another way than it was meant, and take a part of a password for a host, a
  /// port or a parameter.
  let isAmbiguous: Bool

  /// Returns whether a text is meant as an address, and not as the path of a file.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Returns nil for a text that is no address.
  package init?(_ text: String) {
    guard Self.isAddress(text) else { return nil }
    self.text = text
    let at = Self.endOfUser(in: text)
    let mark = text[(at ?? text.startIndex)...].firstIndex(of: "?") ?? text.endIndex
    let parts = [text[..<mark]] + (mark < text.endIndex ? [text[mark...].dropFirst()] : [])
    var secrets: [String] = []
    var isAmbiguous = false
    var name = String(parts[0])
    if let at, let scheme = name.firstRange(of: "://") {
      let user = name[scheme.upperBound..<at]
      isAmbiguous = user.contains(":") && user.contains { "/@?".contains($0) }
      if let colon = user.firstIndex(of: ":") {
        secrets.append(String(user[user.index(after: colon)...]))
        name.removeSubrange(colon..<at)
      }
    }
    if parts.count > 1 {
      let fields = parts[1].split(separator: "&").filter { field in
        let key = field.prefix { $0 != "=" }
        // The end of a password with an ampersand looks like this.
        let isWhole = key.endIndex < field.endIndex
        isAmbiguous = isAmbiguous || !isWhole
        // Whoever writes a key in percent signs has something to hide.
        guard
          !isWhole || key.contains("%") || key.contains("pass") || key.contains("secret"),
          key != "passfile"
        else { return true }
        secrets.append(String(isWhole ? field.dropFirst(key.count + 1) : field))
        return false
      }
      if !fields.isEmpty { name += "?\(fields.joined(separator: "&"))" }
    }
    self.name = name
    self.isAmbiguous = isAmbiguous
    self.secrets = secrets.filter { !$0.isEmpty }
  }

  /// The place of the `@` after a user and password.
  ///
  /// The library takes what is before the first `/` for a user, whatever is in it; a password with a slash or another
  /// `@`, which it refuses, is not to be shown in part.
  private static func endOfUser(in text: String) -> String.Index? {
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let rest = text[scheme.upperBound...]
    let whole = rest[..<(rest.firstIndex(of: "?") ?? rest.endIndex)].lastIndex(of: "@")
    let authority = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)].lastIndex(of: "@")
    return [whole, authority].compactMap(\.self).max()
  }

  /// Takes the address and its passwords out of the library's words.
  func masked(_ message: String) -> String {
    secrets.reduce(message.replacing(text, with: name)) { $0.replacing($1, with: "***") }
  }
}
