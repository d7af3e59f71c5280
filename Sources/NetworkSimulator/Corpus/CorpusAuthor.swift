/// Someone who posts: the same for every query of one network and seed.
struct CorpusAuthor: Sendable, Hashable {
  let ordinal: Int
  /// Random bits of their own, from which each network makes its identifiers.
  let mark: UInt64
  /// Letters, digits and underscores, unlike every other author's.
  let handle: String
  /// What is shown; may be empty.
  var name: String

  /// How many authors a network has.
  static let count = 48

  /// Returns the author of that ordinal.
  init(_ ordinal: Int, network: String, seed: UInt64) {
    var numbers = SplitMix64(seed: StableHash.of(network, "author", "\(ordinal)", seed: seed))
    self.ordinal = ordinal
    mark = numbers.next()
    let given = numbers.pick(Phrases.givenNames)
    let family = numbers.pick(Phrases.familyNames)
    handle =
      numbers.pick(["\(given)\(family)", "\(given)_\(family)", "\(given)"]).lowercased()
      + "\(ordinal)"
    let plain = "\(given) \(family)"
    name = numbers.pick([
      plain, plain, plain, "\(plain) 🦜", "\(given) 🏳️‍🌈", "山田 \(given)", "Zoë \(family)", "",
      "\(given) & \(family) <dev>",
    ])
  }
}
