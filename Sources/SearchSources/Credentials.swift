/// The secrets for one server, in the order of the source's `credentialNames`; never printed.
package struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  package let values: [String]
  /// The variables that they were found in; nil for those that the source names.
  package let names: [String]?

  package init(_ values: [String]) {
    self.values = values
    names = nil
  }

  package init(_ values: [String], names: [String]) {
    self.values = values
    self.names = names
  }

  /// The only one of a source that needs just a token.
  package var token: String { values.first ?? "" }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
