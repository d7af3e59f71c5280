/// The hashes of posts, each once.
///
/// They are seeded already, so that a set would only hash them again.
@usableFromInline
package struct SeenHashes: Sendable {
  /// A hash table with open addressing, 0 if free; its size is a power of two, at most half used.
  private var slots: [Int]
  private var count = 0
  private var hasZero = false

  /// - Parameter count: The expected number of hashes.
  @usableFromInline
  package init(expecting count: Int = 0) {
    var size = 16
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Returns whether a hash is new.
  @usableFromInline
  package mutating func insert(_ hash: Int) -> Bool {
    if hash == 0 {
      defer { hasZero = true }
      return !hasZero
    }
    let slot = slot(of: hash)
    if slots[slot] == hash { return false }
    slots[slot] = hash
    count += 1
    if count * 2 > slots.count { grow() }
    return true
  }

  /// Asks for the memory where a hash belongs, as a large table is not in the processor's caches.
  package func prefetch(_ hash: Int) { slots.prefetch(hash & (slots.count - 1)) }

  /// Returns the slot of a hash, or the free one where it belongs.
  private func slot(of hash: Int) -> Int {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    let hashes = slots
    slots = Array(repeating: 0, count: hashes.count * 2)
    for hash in hashes where hash != 0 { slots[slot(of: hash)] = hash }
  }
}
