/// Another post that says the same: where it is.
package struct PostCopy: Hashable, Sendable {
  package var source: SourceName
  /// The page for people, or else its identity.
  package var address: String

  package init(source: SourceName, address: String) {
    self.source = source
    self.address = address
  }
}
