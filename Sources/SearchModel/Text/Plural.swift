/// Numbers with their nouns.
package enum Plural {
  /// Returns `1 post`, `2 posts`; or, with a verb, `1 post waits`, `2 posts wait`.
  ///
  /// - Parameter many: The plural, if it is not the singular with an "s".
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
  }
}
