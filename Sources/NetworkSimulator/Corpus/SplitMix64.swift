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

  /// Returns true with a probability of `percent`.
  mutating func chance(_ percent: Int) -> Bool { draw(0...99) < percent }

  /// Draws one of `choices`, which must not be empty.
  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[draw(0...choices.count - 1)]
  }
}

/// 64-bit FNV-1a with a final mix: Swift's `Hasher` differs from process to process.
enum StableHash {
  /// Returns the hash of `parts`, with separators, and `seed`.
  static func of(_ parts: String..., seed: UInt64 = 0) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    var mixer = SplitMix64(seed: hash)
    return mixer.next()
  }
}

/// The character sets of the networks' identifiers.
enum Alphabet: String {
  case base32 = "abcdefghijklmnopqrstuvwxyz234567"
  case base32Sortable = "234567abcdefghijklmnopqrstuvwxyz"
  case base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  case hexadecimal = "0123456789abcdef"

  /// Returns `count` characters drawn from `seed`.
  func random(_ count: Int, seed: UInt64) -> String {
    let characters = Array(rawValue.utf8)
    var numbers = SplitMix64(seed: seed)
    let drawn = (0..<count).map { _ in characters[Int(numbers.next() % UInt64(characters.count))] }
    return String(decoding: drawn, as: UTF8.self)
  }

  /// Returns `number` with exactly `digits` digits of this alphabet, the most significant first.
  func spell(_ number: UInt64, digits: Int) -> String {
    let characters = Array(rawValue.utf8)
    let base = UInt64(characters.count)
    var rest = number
    var spelled: [UInt8] = []
    for _ in 0..<digits {
      spelled.append(characters[Int(rest % base)])
      rest /= base
    }
    return String(decoding: spelled.reversed(), as: UTF8.self)
  }
}
