/// The longest time that a tag is expected to go without a post: a number with a unit, such as `12h`, `2d`
/// or `1w`.
package struct ExpectedInterval: Hashable, Sendable {
  private static let units: [Character: Double] = [
    "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]
  private static let longest = 100.0 * 366 * 86_400

  /// The text as it was written.
  package let text: String
  package let seconds: Double

  package init?(_ text: String) {
    guard let letter = text.last, let unit = Self.units[letter],
      text.utf8.dropLast().allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      let number = Double(text.dropLast()), number > 0, number * unit <= Self.longest
    else { return nil }
    self.text = text
    seconds = number * unit
  }
}
