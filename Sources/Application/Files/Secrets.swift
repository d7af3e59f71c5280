package import SearchModel
package import SearchSources
internal import TextFormats

/// The credentials of this user: variables of the environment, or else those of `credentials.json`, by
/// name.
package struct Secrets: Sendable {
  private let variables: [String: String]
  private var kept: [String: String] = [:]

  package init(variables: [String: String], file: CredentialFile?) throws {
    self.variables = variables
    guard let file else { return }
    for (name, secret) in try file.credentials() { kept[name] = secret }
  }

  /// Returns whether a header can contain a credential.
  package static func isUsable(_ value: String) -> Bool {
    !value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }

  /// The reason for which a credential is not usable, after its name.
  package static let unusable = "contains a line break or another control character"

  /// Returns whether all of these variables are set.
  package func hold(_ names: [String]) -> Bool {
    !names.isEmpty && names.allSatisfy { value(of: $0) != nil }
  }

  /// The values of these variables, which are set.
  ///
  /// Throws if a header cannot contain one of them.
  package func credentials(named names: [String]) throws(Failure) -> Credentials {
    let values = names.compactMap { value(of: $0) }
    for (name, value) in zip(names, values) where !Self.isUsable(value) {
      throw Failure(
        .credential, message: "\(name) \(Self.unusable)",
        advice: "set \(name) to the credential alone")
    }
    return Credentials(values, names: names)
  }

  /// Those of the variables that are set, with their values.
  package func values(of names: some Sequence<String>) -> [String: String] {
    var values: [String: String] = [:]
    for name in names { values[name] = value(of: name) }
    return values
  }

  /// A variable that is set and not blank. The text of a file often ends in a line break, which is not
  /// part of the secret.
  private func value(of name: String) -> String? {
    guard let text = (variables[name] ?? kept[name])?.trimmed else { return nil }
    return text.isEmpty ? nil : String(text)
  }
}
