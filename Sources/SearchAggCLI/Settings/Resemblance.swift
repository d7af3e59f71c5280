/// Finds the known name that somebody may have meant by an unknown one.
enum Resemblance {
  /// Returns the known name that is nearest to an unknown one; nil where none is near: more than a slip or
  /// two apart, or a quarter of it.
  static func nearest(to name: String, among known: some Sequence<String>) -> String? {
    let most = min(2, max(1, name.count / 4))
    let near = known.map { (name: $0, distance: distance(name, $0)) }.filter { $0.distance <= most }
    return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// How many letters must be put in, left out or replaced to make one name the other (Levenshtein).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
