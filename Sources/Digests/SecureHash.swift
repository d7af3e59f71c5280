/// SHA-1 and SHA-256 (FIPS 180-4).
///
/// For identifiers and content policies: no secret depends on them, so they are written for brevity.
package enum SecureHash {
  /// Returns the 20 bytes of a SHA-1 digest.
  package static func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in blocks(of: message) {
      var words = block
      for index in 16..<80 {
        let mixed =
          words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
        words.append(left(mixed, 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for (index, word) in words.enumerated() {
        let (function, constant): (UInt32, UInt32) =
          switch index {
          case ..<20: (b & c | ~b & d, 0x5A82_7999)
          case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = left(a, 5) &+ function &+ e &+ constant &+ word
        (a, b, c, d, e) = (next, a, left(b, 30), c, d)
      }
      state = zip(state, [a, b, c, d, e]).map { $0 &+ $1 }
    }
    return bytes(of: state)
  }

  /// Returns the 32 bytes of a SHA-256 digest.
  package static func sha256(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
      0x5BE0_CD19,
    ]
    for block in blocks(of: message) {
      var words = block
      for index in 16..<64 {
        let (one, two) = (words[index - 15], words[index - 2])
        let low = left(one, 25) ^ left(one, 14) ^ one >> 3
        let high = left(two, 15) ^ left(two, 13) ^ two >> 10
        words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
      }
      var v = state
      for (word, constant) in zip(words, roundConstants) {
        let choice = v[4] & v[5] ^ ~v[4] & v[6]
        let rotatedE = left(v[4], 26) ^ left(v[4], 21) ^ left(v[4], 7)
        let one = v[7] &+ rotatedE &+ choice &+ constant &+ word
        let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
        let rotatedA = left(v[0], 30) ^ left(v[0], 19) ^ left(v[0], 10)
        v = [one &+ rotatedA &+ majority, v[0], v[1], v[2], v[3] &+ one, v[4], v[5], v[6]]
      }
      state = zip(state, v).map { $0 &+ $1 }
    }
    return bytes(of: state)
  }

  /// Returns the blocks of 16 words of a padded message.
  private static func blocks(of message: [UInt8]) -> [[UInt32]] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    padded += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    return stride(from: 0, to: padded.count, by: 64).map { start in
      stride(from: start, to: start + 64, by: 4).map { place in
        padded[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
      }
    }
  }

  private static func bytes(of words: [UInt32]) -> [UInt8] {
    words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  private static func left(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static let roundConstants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}
