import SearchModel
import Testing

@Suite struct FirstPlacesTests {
  /// The first place of each key of a list, and whether equal keys follow each other.
  private func firsts<Key: Hashable>(of keys: [Key]) -> (firsts: [Int], areTogether: Bool) {
    var places = FirstPlaces<Key>()
    let firsts = keys.indices.map { place in
      places.first(of: keys[place], at: place) { keys[$0] }
    }
    return (firsts, places.areTogether)
  }

  @Test(arguments: [
    ([], [], true), (["a"], [0], true), (["a", "a", "b", "b"], [0, 0, 2, 2], true),
    (["a", "b", "a", "b", "c", "a"], [0, 1, 0, 1, 4, 0], false),
    (["a", "b", "a", "a", "c", "b", "c"], [0, 1, 0, 0, 4, 1, 4], false),
  ])
  func `Each key has the place where it was first`(
    keys: [String], places: [Int], areTogether: Bool
  ) {
    let found = firsts(of: keys)
    #expect(found.firsts == places && found.areTogether == areTogether)
  }

  @Test func `Keys that share a hash are different keys`() {
    struct Colliding: Hashable {
      let number: Int
      func hash(into hasher: inout Hasher) {}
    }
    let found = firsts(of: [1, 1, 2, 3, 1, 2].map(Colliding.init))
    #expect(found.firsts == [0, 0, 2, 3, 0, 2])
  }
}
