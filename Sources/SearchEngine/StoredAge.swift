internal import SearchModel

/// Where an answer of earlier runs was kept, and how old it is.
package struct StoredAge: Hashable, Sendable {
  package enum Place: String, Sendable {
    case cache, history
  }

  package let place: Place
  package let age: Duration
  /// True if it is the answer to a run with other settings, which may have wanted less.
  package let isOfOtherSettings: Bool

  package init(in place: Place, _ age: Duration, isOfOtherSettings: Bool = false) {
    self.place = place
    self.age = age
    self.isOfOtherSettings = isOfOtherSettings
  }

  /// The note of an outcome: `from cache, 3 h old`.
  package var note: String {
    let note = "from \(place.rawValue), \(age.asAge) old"
    return isOfOtherSettings ? "\(note), from a run with other settings" : note
  }
}
