/// Who wrote a feed or an entry, as far as it says.
struct FeedPerson: Hashable, Sendable {
  var name: String?
  var email: String?
  var url: String?

  init?(name: String?, email: String? = nil, url: String? = nil) {
    self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    self.email = email.flatMap { $0.isEmpty ? nil : $0 }
    self.url = url.flatMap { $0.isEmpty ? nil : $0 }
    if self.name == nil, self.email == nil, self.url == nil { return nil }
  }

  /// Reads what stands where RSS wants an e-mail address: `ada@example.org (Ada)`, `Ada
  /// <ada@example.org>`, or a name alone.
  init?(_ text: String) {
    let words = text.split(whereSeparator: { $0.isWhitespace || "()<>[],;\"".contains($0) })
    let found = words.first { Self.isEmail($0) }
    let email = found.map { $0.hasPrefix("mailto:") ? $0.dropFirst(7) : $0 }
    var rest = text
    if let found { rest = rest.replacing(found, with: " ", maxReplacements: 1) }
    // What is left of the brackets around either of them.
    for brackets in ["()", "<>", "[]"] { rest = rest.replacing(brackets, with: " ") }
    if email != nil {
      rest = rest.replacing("( )", with: " ").replacing("< >", with: " ")
        .replacing("[ ]", with: " ")
    }
    var name = Substring(rest.asName)
    if email != nil, name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
    while let last = name.last, last.isWhitespace || ",;:".contains(last) { name.removeLast() }
    self.init(name: String(name), email: email.map(String.init))
  }

  private static func isEmail(_ word: Substring) -> Bool {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".")
      && !parts[1].hasPrefix(".") && !word.contains("/")
  }
}
