extension Array {
  /// The places of the elements in the order of their keys, and of the places where keys are equal; to move
  /// large elements instead takes ten times as long.
  func places<Key: Comparable>(by key: (Element) -> Key) -> [Int] {
    var keys: [(key: Key, place: Int)] = []
    keys.reserveCapacity(count)
    for place in indices { keys.append((key(self[place]), place)) }
    keys.sort { one, other in
      one.key == other.key ? one.place < other.place : one.key < other.key
    }
    return keys.map { $0.place }
  }
}
