package import TextFormats

/// A text in which `{NAME}` stands for a credential, and `{{` and `}}` for braces.
package struct CredentialText: Sendable {
  private let template: Template<String>

  /// - Parameter expected: What the value should be, for messages.
  package init(_ entry: JSONEntry, expected: String) throws(DocumentError) {
    let text = try entry.string(expected: expected)
    template = try Template(text, at: entry) { name throws(DocumentError) in
      guard Placeholder.isVariable(name) else {
        throw entry.fault(expected: "a credential's name in braces, such as {TEAM_WEBHOOK}")
      }
      return String(name)
    }
  }

  /// The variables of the credentials.
  package var names: [String] { template.slots }

  package func filled(_ values: [String: String]) -> String { template.filled { values[$0] } ?? "" }
}
