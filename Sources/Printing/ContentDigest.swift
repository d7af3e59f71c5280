internal import Digests
internal import FoundationEssentials

/// The digests that formats need, as they write them: identifiers of feeds and sources of content policies.
enum ContentDigest {
  /// Returns the UUID of version 5 for a name, in lower case (RFC 9562, section 5.5).
  static func uuid(of name: String) -> String {
    // The namespace of addresses (RFC 9562, section 6.6).
    let namespace: [UInt8] = [
      0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30,
      0xC8,
    ]
    var bytes = Array(SecureHash.sha1(namespace + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { bytes[$0].hexadecimal }
      .joined(separator: "-")
  }

  /// Returns a source expression of a content security policy, `sha256-` and the digest in base64.
  static func policySource(of text: String) -> String {
    let digest = SecureHash.sha256(Array(text.utf8))
    return "'sha256-\(Data(digest).base64EncodedString())'"
  }
}
