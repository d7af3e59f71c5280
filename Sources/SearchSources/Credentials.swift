/// The secrets for one server, in the order of the source's `credentialNames`; never printed.
package struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  package let values: [String]

  package init(_ values: [String]) { self.values = values }

  /// The only one of a source that needs just a token.
  package var token: String { values.first ?? "" }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
