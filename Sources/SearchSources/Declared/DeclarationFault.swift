/// What is wrong with the declaration of a source: at which key, and what was expected there.
package struct DeclarationFault: Error, Hashable, Sendable {
  /// Where it stands within the declaration, such as `page.by`; empty for the whole.
  package let key: String
  /// One line in lower case; it quotes nothing that may be a secret.
  package let message: String

  init(_ key: String, _ message: String) {
    self.key = key
    self.message = message
  }

  init(_ key: String, expected: String) { self.init(key, "expected \(expected)") }
}
