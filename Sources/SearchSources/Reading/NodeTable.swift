internal import SearchModel
internal import TextFormats

/// Values by the identifiers of an answer; valid as long as its nodes.
///
/// An identifier is a string that is not empty, or a whole number, which equals the string of its digits.
// A dictionary needs a string for each key, and takes several times as long to hash it.
struct NodeTable<Value> {
  private var entries: [(key: JSONNode, hash: Int, value: Value)] = []
  /// A hash table with open addressing over `entries`, -1 if free; its size is a power of two, at most half
  /// used.
  private var slots: [Int32] = []

  /// The number of identifiers.
  var count: Int { entries.count }

  /// - Parameter count: The expected number of identifiers.
  init(expecting count: Int = 0) {
    if count > 0 { makeSlots(for: count) }
    entries.reserveCapacity(count)
  }

  /// The value of an identifier; nil for any other node.
  subscript(key: JSONNode?) -> Value? {
    guard let key, !entries.isEmpty, let hash = Self.hash(of: key) else { return nil }
    let entry = slots[slot(of: key, hash: hash)]
    return entry < 0 ? nil : entries[Int(entry)].value
  }

  /// Gives an identifier a value, in place of an earlier one; any other node gets none.
  mutating func set(_ value: Value, for key: JSONNode?) {
    guard let key, let hash = Self.hash(of: key) else { return }
    if (entries.count + 1) * 2 > slots.count { makeSlots(for: entries.count * 2 + 4) }
    let slot = slot(of: key, hash: hash)
    if slots[slot] >= 0 {
      entries[Int(slots[slot])].value = value
    } else {
      slots[slot] = Int32(truncatingIfNeeded: entries.count)
      entries.append((key, hash, value))
    }
  }

  /// Returns the slot of an identifier, or the free one where it belongs.
  private func slot(of key: JSONNode, hash: Int) -> Int {
    var slot = hash & (slots.count - 1)
    while slots[slot] >= 0 {
      let entry = Int(slots[slot])
      if entries[entry].hash == hash, Self.areSame(entries[entry].key, key) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func makeSlots(for count: Int) {
    var size = 8
    while size < count * 2 { size *= 2 }
    slots = Array(repeating: -1, count: size)
    for (index, entry) in entries.enumerated() {
      slots[slot(of: entry.key, hash: entry.hash)] = Int32(truncatingIfNeeded: index)
    }
  }

  private static func hash(of key: JSONNode) -> Int? {
    var hasher = TextHasher()
    if let bytes = key.stringBytes {
      guard !bytes.isEmpty else { return nil }
      hasher.combine(bytes)
    } else {
      guard var digits = key.identifier else { return nil }
      digits.withUTF8 { hasher.combine($0) }
    }
    return hasher.value
  }

  private static func areSame(_ one: JSONNode, _ other: JSONNode) -> Bool {
    one.isSameString(as: other)
      || !(one.kind == .string && other.kind == .string) && one.identifier == other.identifier
  }
}
