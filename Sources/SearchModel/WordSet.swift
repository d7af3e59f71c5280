/// The words of a text as a set of hashes, to tell nearly the same texts from others.
///
/// Addresses and names with `@` are no words: copies on other networks differ in them.
struct WordSet: Hashable, Sendable {
  /// Hostile texts are long; what makes two alike stands at their beginning.
  private static let most = 64
  static let longestText = 4096

  /// Seeded, as `Hasher` is, so that nobody can make texts collide; sorted, each once.
  private let hashes: [Int]

  init(of post: Post) {
    var hashes: Set<Int> = []
    for text in [post.title ?? "", post.text] {
      for word in text.prefix(Self.longestText).split(whereSeparator: \.isWhitespace) {
        guard word.first != "@", !word.contains("://") else { continue }
        for part in word.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
          if hashes.count < Self.most { hashes.insert(part.lowercased().hashValue) }
        }
      }
    }
    self.hashes = hashes.sorted()
  }

  /// Whether two texts share at least two thirds of the words of both.
  func isNear(_ other: WordSet) -> Bool {
    let counts = (hashes.count, other.hashes.count)
    guard min(counts.0, counts.1) * 3 >= max(counts.0, counts.1) * 2 else { return false }
    var shared = 0
    var one = 0
    var two = 0
    while one < hashes.count, two < other.hashes.count {
      if hashes[one] == other.hashes[two] {
        shared += 1
        one += 1
        two += 1
      } else if hashes[one] < other.hashes[two] {
        one += 1
      } else {
        two += 1
      }
    }
    let all = hashes.count + other.hashes.count - shared
    return shared * 3 >= all * 2
  }
}
