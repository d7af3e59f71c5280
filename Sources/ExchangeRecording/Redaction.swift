internal import FoundationEssentials
internal import TextFormats

/// Replaces secrets in text with `***`.
///
/// A secret of eight or more bytes is replaced wherever it occurs; a shorter one only where it is a
/// word of its own, since its letters may well be part of innocent text.
package struct Redaction: Sendable {
  package static let mark = SpelledText.mark

  private static let shortest = 8

  /// The texts to look for, the longest first, so that no part of a longer one remains.
  private var secrets: [SpelledText] = []
  /// The values that they were made of.
  private var values: Set<String> = []

  /// - Parameter secrets: The values to hide; blank ones are ignored. They are hidden in Base64 and in the spellings
  ///   of addresses, JSON and HTML, too.
  package init(_ secrets: some Sequence<String>) { hide(secrets) }

  /// Hides further values.
  mutating func hide(_ further: some Sequence<String>) {
    let new = Set(further).subtracting(values)
    guard !new.isEmpty else { return }
    values.formUnion(new)
    var texts = Set(secrets)
    for secret in new where !secret.isEmpty {
      texts.insert(SpelledText(secret))
      // Without its end, which some leave out.
      let encoded = Data(secret.utf8).base64EncodedString().prefix { $0 != "=" }
      if encoded.utf8.count > Self.shortest { texts.insert(SpelledText(String(encoded))) }
    }
    secrets = texts.sorted { $0.count > $1.count }
  }

  package func apply(to text: String) -> String {
    guard !secrets.isEmpty else { return text }
    return String(decoding: apply(to: Array(text.utf8)), as: UTF8.self)
  }

  package func apply(to bytes: [UInt8]) -> [UInt8] {
    SpelledText.masking(secrets, in: bytes) { secret, place, bytes in
      secret.count >= Self.shortest || Self.isWord(place, in: bytes)
    }
  }

  private static func isWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
    let before = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0
    let after = range.upperBound < bytes.count ? bytes[range.upperBound] : 0
    return !isLetter(before) && !isLetter(after)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte >= 0x80
  }
}
