import Testing
import TextFormats

@Suite struct ByteSearchTests {
  @Test(arguments: 0...40)
  func `Bytes are the same if each of them is, wherever they lie`(count: Int) {
    for (one, other) in (0..<8).flatMap({ one in (0..<8).map { (one, $0) } }) {
      // What is before and after them is different.
      var bytes = [UInt8](repeating: 1, count: 64)
      var copy = [UInt8](repeating: 2, count: 64)
      for place in 0..<count {
        bytes[one + place] = UInt8(place) &* 7 &+ 3
        copy[other + place] = bytes[one + place]
      }
      #expect(areSame(bytes, one, copy, other, count: count))
      for place in 0..<count {
        for bit in [1, 0x80] as [UInt8] {
          copy[other + place] ^= bit
          #expect(!areSame(bytes, one, copy, other, count: count), "\(place) of \(count)")
          copy[other + place] ^= bit
        }
      }
    }
  }

  private func areSame(
    _ bytes: [UInt8], _ one: Int, _ copy: [UInt8], _ other: Int, count: Int
  ) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      copy.withUnsafeBufferPointer { copy in
        let (bytes, copy) = (bytes[one..<(one + count)], copy[other..<(other + count)])
        let areSame = ByteSearch.areSame(
          UnsafeBufferPointer(rebasing: bytes), UnsafeBufferPointer(rebasing: copy))
        #expect(areSame == bytes.elementsEqual(copy))
        return areSame
      }
    }
  }
}
