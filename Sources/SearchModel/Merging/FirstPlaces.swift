/// Finds the first place of each key of a list in which equal keys mostly follow each other, as the searches of a
/// query do in a plan.
///
/// As long as they do, only hashes are kept: a dictionary of a million queries would take a hundred bytes for each.
package struct FirstPlaces<Key: Hashable> {
  /// The hashes of the keys so far.
  @usableFromInline var seen = SeenHashes()
  /// The first places, once a key has come back after others.
  @usableFromInline var firsts: [Key: Int]?
  @usableFromInline var latest: (key: Key, first: Int)?

  @inlinable
  package init() {}

  /// True if equal keys have followed each other so far.
  @inlinable package var areTogether: Bool { firsts == nil }

  /// Returns the first place of the key of the next place.
  ///
  /// - Parameter earlier: Returns the key of an earlier place.
  @inlinable
  package mutating func first(of key: Key, at place: Int, earlier: (Int) -> Key) -> Int {
    if let latest, latest.key == key { return latest.first }
    let first = knownFirst(of: key, at: place, earlier: earlier) ?? place
    latest = (key, first)
    firsts?[key] = first
    return first
  }

  @inlinable
  mutating func knownFirst(of key: Key, at place: Int, earlier: (Int) -> Key) -> Int? {
    if firsts == nil {
      if seen.insert(key.hashValue) { return nil }
      // The key has come back, or shares its hash with another one.
      firsts = Dictionary(
        (0..<place).map { (earlier($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return firsts?[key]
  }
}
