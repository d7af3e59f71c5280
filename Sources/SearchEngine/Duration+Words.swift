extension Duration {
  /// The duration for people: `20 s`, `1.5 s`, `250 ms`.
  package var inWords: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
    return "\(Double(milliseconds / 100) / 10) s"
  }
}
