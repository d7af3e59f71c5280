/// A length of time as users write it: a number and a unit, such as `90m`, `1.5h` or `250ms`.
package enum DurationArgument {
  package static let expected = "a length of time such as 20, 20s, 1.5m or 500ms"

  private static let units: [(suffix: String, seconds: Double)] = [
    ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
  ]

  /// The longest duration that is accepted: a hundred years.
  private static let longestSeconds = 100.0 * 366 * 86_400

  /// Reads a number with one of the units; a bare number is in seconds where `s` is allowed.
  package static func parse(_ text: String, units allowed: Set<String> = ["ms", "s", "m", "h"])
    -> Duration?
  {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard !digits.isEmpty, let number = Double(digits) else { return nil }
    let suffix =
      digits.count == text.count && allowed.contains("s") ? "s" : text.dropFirst(digits.count)
    guard allowed.contains(String(suffix)), let unit = units.first(where: { $0.suffix == suffix }),
      number * unit.seconds <= longestSeconds
    else { return nil }
    return .seconds(number * unit.seconds)
  }
}
