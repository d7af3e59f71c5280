internal import SearchModel

/// Where an answer of earlier runs was kept, and how old it is.
package struct StoredAge: Hashable, Sendable {
  package enum Place: String, Sendable {
    case cache, history
  }

  package let place: Place
  package let age: Duration

  package init(in place: Place, _ age: Duration) {
    self.place = place
    self.age = age
  }

  /// The note of an outcome: `from cache, 3 h old`.
  package var note: String { "from \(place.rawValue), \(age.asAge) old" }
}
