/// Where a value stands in a document: as people write it (`tags[3].limit`), and as ordinals.
struct JSONPlace: Hashable, Sendable {
  private(set) var name = ""
  private(set) var ordinals: [Int] = []

  /// The document itself.
  static let root = JSONPlace()

  func element(_ index: Int) -> JSONPlace {
    JSONPlace(name: "\(name)[\(index)]", ordinals: ordinals + [index])
  }

  /// The value of a key, which is the `ordinal`-th of its object.
  func member(_ key: String, _ ordinal: Int) -> JSONPlace {
    JSONPlace(name: name.isEmpty ? key : "\(name).\(key)", ordinals: ordinals + [ordinal])
  }
}
