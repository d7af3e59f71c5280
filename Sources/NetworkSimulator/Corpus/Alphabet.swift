/// Writes random bits in the characters of one of the networks' identifiers.
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

  /// Returns `number` in exactly `digits` digits of this alphabet, the highest first.
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
