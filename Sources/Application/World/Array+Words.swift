extension Array<String> {
  /// The elements as a sentence lists them: `a, b or c`.
  package func inWords(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    // Of an array, since joining a slice takes ten times as long.
    return "\(Array(dropLast()).joined(separator: ", ")) \(conjunction) \(last)"
  }
}
