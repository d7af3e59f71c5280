/// The notes of a search, those of one kind together: a network may say the same of dozens of posts.
struct NoteTally {
  private var counts: [(pattern: String, first: String, count: Int)] = []

  init(_ notes: [String]) {
    var indices: [String: Int] = [:]
    for note in notes {
      let pattern = MessagePattern.of(note)
      if let index = indices[pattern] {
        counts[index].count += 1
      } else {
        indices[pattern] = counts.endIndex
        counts.append((pattern, note, 1))
      }
    }
  }

  /// What the notes of each kind have in common.
  var kinds: Set<String> { Set(counts.map(\.pattern)) }

  /// The first note of each kind, and how many more there are.
  var lines: [String] {
    counts.map { $0.count == 1 ? $0.first : "\($0.first) (and \($0.count - 1) more like it)" }
  }
}
