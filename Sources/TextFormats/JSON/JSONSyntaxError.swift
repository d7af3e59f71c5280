/// Where a text stops to be JSON, and what should stand there.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var position: JSONPosition
  /// What would have been right, such as `a comma or ]`.
  package var expected: String
  /// What stands there.
  package var found: String

  package init(position: JSONPosition, expected: String, found: String) {
    self.position = position
    self.expected = expected
    self.found = found
  }

  package var line: Int { position.line }
  package var column: Int { position.column }

  package var description: String { "\(position): expected \(expected), found \(found)" }
}
