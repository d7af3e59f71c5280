internal import Application

extension CredentialGuide {
  /// The section of the help of `sources`.
  static var text: String {
    let entries = all.map { guide in
      "  \(guide.variables.joined(separator: ", "))\n  From \(guide.page): \(guide.details)"
    }
    return "CREDENTIALS:\n" + entries.joined(separator: "\n\n")
      + "\n\n  Set a credential with `searchagg auth set NAME`, or in the environment."
  }
}
