import Digests
import Testing

@Suite struct DigestsTests {
  @Test func `SipHash gives the digests of the published vectors`() {
    var bytes: [UInt8] = []
    let key = SipHash.Key(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
    let vectors: [[UInt8]] = [
      [
        0xA3, 0x81, 0x7F, 0x04, 0xBA, 0x25, 0xA8, 0xE6, 0x6D, 0xF6, 0x72, 0x14, 0xC7, 0x55, 0x02,
        0x93,
      ],
      [
        0xDA, 0x87, 0xC1, 0xD8, 0x6B, 0x99, 0xAF, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9B, 0x22, 0xFC,
        0x45,
      ],
    ]
    for (count, vector) in vectors.enumerated() {
      #expect(SipHash.digest(of: bytes, key: key) == vector)
      bytes.append(UInt8(count))
    }
    // However the bytes come, the digest is the same.
    let text = (0..<100).map { UInt8($0) }
    for split in 0...100 {
      var hash = SipHash(key: key)
      hash.update(Array(text[..<split]).span.bytes)
      hash.update(Array(text[split...]).span.bytes)
      #expect(hash.finish() == SipHash.digest(of: text, key: key))
    }
  }

  @Test func `SHA-1 and SHA-256 give the digests of the standard`() {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    // FIPS 180-4.
    #expect(
      hex(SecureHash.sha1(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(
      hex(SecureHash.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let long = Array(repeating: UInt8(ascii: "a"), count: 1000)
    #expect(hex(SecureHash.sha1(long)) == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
    #expect(
      hex(SecureHash.sha256(long))
        == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }
}
