import SearchModel
import TestSupport
import Testing

@Suite struct SeenHashesTests {
  @Test(arguments: [0, 1, 1000])
  func `A hash is new once, whatever it is`(expected: Int) {
    var random = SeededRandom(seed: 3)
    // Neighbors, multiples of the table's sizes, and the number that marks a free slot.
    var hashes = Array(-20...20) + (1...20).map { $0 * 1024 } + [.min, .max]
    hashes += (0..<3000).map { _ in Int.random(in: .min ... .max, using: &random) }
    var known: Set<Int> = []
    var seen = SeenHashes(expecting: expected)
    for hash in hashes + hashes.shuffled(using: &random) {
      #expect(seen.insert(hash) == known.insert(hash).inserted, "\(hash)")
    }
  }
}
