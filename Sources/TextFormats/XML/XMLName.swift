/// The name of an element or attribute.
package struct XMLName: Hashable, Sendable {
  /// The prefix as it is written; empty when there is none.
  package var prefix: String
  /// What the prefix stands for; nil when it was never declared, or there is none.
  package var namespace: String?
  /// The name behind the prefix, as it is written.
  package var local: String
}
