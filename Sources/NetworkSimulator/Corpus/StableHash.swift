/// FNV-1a of 64 bits with a last mix: Swift's own `Hasher` differs from process to process.
enum StableHash {
  /// Returns the hash of `parts`, kept apart from one another, and `seed`.
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
