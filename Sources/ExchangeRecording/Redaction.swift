internal import QueuedHTTP
internal import TextFormats

/// Replaces secrets in text with `***`.
///
/// A secret of eight or more bytes is replaced wherever it occurs; a shorter one only where it is a
/// word of its own, since its letters may well be part of innocent text.
package struct Redaction: Sendable {
  package static let mark = "***"

  private static let shortest = 8

  /// The spellings to look for, the longest first, so that no part of a longer one remains.
  private var secrets: [[UInt8]] = []
  /// The values that they are spellings of.
  private var values: Set<String> = []

  /// - Parameter secrets: The values to hide; blank ones are ignored. Their percent-encoded and
  ///   JSON-escaped spellings are hidden as well.
  package init(_ secrets: some Sequence<String>) { hide(secrets) }

  /// Hides further values.
  mutating func hide(_ further: some Sequence<String>) {
    let new = Set(further).subtracting(values)
    guard !new.isEmpty else { return }
    values.formUnion(new)
    var spellings = Set(secrets)
    for secret in new where !secret.isEmpty {
      spellings.insert(Array(secret.utf8))
      for spelling in PercentEncoding.spellings(of: secret) {
        spellings.insert(Array(spelling.utf8))
      }
      spellings.insert(
        Array(secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").utf8))
    }
    secrets = spellings.sorted {
      $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
    }
  }

  package func apply(to text: String) -> String {
    guard !secrets.isEmpty else { return text }
    return String(decoding: apply(to: Array(text.utf8)), as: UTF8.self)
  }

  package func apply(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for secret in secrets { bytes = Self.replacing(secret, in: bytes) }
    return bytes
  }

  private static func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = secret.first, bytes.count >= secret.count else { return bytes }
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    let last = bytes.count - secret.count
    while position <= last {
      guard bytes[position] == first,
        bytes[position..<position + secret.count].elementsEqual(secret),
        secret.count >= shortest || isWord(position..<position + secret.count, in: bytes)
      else {
        position += 1
        continue
      }
      result += bytes[copied..<position]
      result += Array(mark.utf8)
      position += secret.count
      copied = position
    }
    return copied == 0 ? bytes : result + bytes[copied...]
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
