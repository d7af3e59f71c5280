extension Array<String> {
  /// The elements as a sentence lists them: `a, b or c`.
  package func inWords(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
  }
}
