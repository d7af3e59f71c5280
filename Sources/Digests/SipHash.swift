/// SipHash-2-4 with 128-bit digests (Aumasson and Bernstein, 2012): without the key nobody can recognize
/// the input of a digest, nor find two inputs with the same digest.
package struct SipHash: Sendable {
  /// The key of a digest.
  package struct Key: Sendable, Hashable {
    package var low: UInt64
    package var high: UInt64

    package init(low: UInt64, high: UInt64) {
      self.low = low
      self.high = high
    }
  }

  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var tail: UInt64 = 0
  private var count = 0

  package init(key: Key) {
    v0 = key.low ^ 0x736f_6d65_7073_6575
    v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xEE
    v2 = key.low ^ 0x6c79_6765_6e65_7261
    v3 = key.high ^ 0x7465_6462_7974_6573
  }

  /// The 16 bytes of a digest.
  package static func digest(of bytes: [UInt8], key: Key) -> [UInt8] {
    var hash = SipHash(key: key)
    unsafe hash.update(bytes.span.bytes)
    return hash.finish()
  }

  /// The two words of the digest of some texts, each but the first with a zero byte before it.
  package static func words(of texts: String..., key: Key) -> (low: UInt64, high: UInt64) {
    var hash = SipHash(key: key)
    for (place, text) in texts.enumerated() {
      if place > 0 { hash.take(0) }
      var text = text
      text.withUTF8 { bytes in unsafe hash.update(bytes.span.bytes) }
    }
    return hash.finishWords()
  }

  /// The two words of the digest of two texts, as above, the second one given as UTF-8.
  @unsafe
  package static func words(
    of first: String, _ second: UnsafeBufferPointer<UInt8>, key: Key
  ) -> (low: UInt64, high: UInt64) {
    var hash = SipHash(key: key)
    var first = first
    first.withUTF8 { bytes in unsafe hash.update(bytes.span.bytes) }
    hash.take(0)
    unsafe hash.update(second.span.bytes)
    return hash.finishWords()
  }

  /// The two words of the digest of some bytes.
  package static func words(of bytes: [UInt8], key: Key) -> (low: UInt64, high: UInt64) {
    var hash = SipHash(key: key)
    unsafe hash.update(bytes.span.bytes)
    return hash.finishWords()
  }

  /// Appends bytes to the input.
  package mutating func update(_ bytes: RawSpan) {
    var index = 0
    while index < bytes.byteCount, count & 7 != 0 {
      take(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
    while index + 8 <= bytes.byteCount {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      compress(UInt64(littleEndian: word))
      index += 8
      count += 8
    }
    while index < bytes.byteCount {
      take(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
  }

  /// The digest of the input.
  package consuming func finish() -> [UInt8] {
    let words = finishWords()
    return [words.low, words.high].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private consuming func finishWords() -> (low: UInt64, high: UInt64) {
    compress(tail | UInt64(truncatingIfNeeded: count) << 56)
    v2 ^= 0xEE
    for _ in 0..<4 { round() }
    let low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xDD
    for _ in 0..<4 { round() }
    let high = v0 ^ v1 ^ v2 ^ v3
    return (low, high)
  }

  private mutating func take(_ byte: UInt8) {
    tail |= UInt64(byte) << UInt64((count & 7) * 8)
    count += 1
    if count & 7 == 0 {
      compress(tail)
      tail = 0
    }
  }

  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}
