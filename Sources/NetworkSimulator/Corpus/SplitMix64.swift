/// Sebastiano Vigna's splitmix64: the same numbers from the same seed on every machine.
///
/// <https://prng.di.unimi.it/splitmix64.c>
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Draws a number from `range`, whose ends are both possible.
  mutating func draw(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Whether one of a hundred equal chances fell on the first `percent`.
  mutating func chance(_ percent: Int) -> Bool { draw(0...99) < percent }

  /// Draws one of `choices`, which must not be empty.
  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[draw(0...choices.count - 1)]
  }
}
