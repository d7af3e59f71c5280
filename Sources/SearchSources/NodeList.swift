internal import TextFormats

/// The elements of a list that may be absent.
struct NodeList: Sequence, IteratorProtocol {
  private var elements: JSONElements?

  init(_ node: JSONNode?) { elements = node?.elements }

  mutating func next() -> JSONNode? { elements?.next() }

  var first: JSONNode? {
    var copy = self
    return copy.next()
  }
}

extension JSONNode {
  /// The elements of the list under a key; none where there is no such list.
  func list(_ key: StaticString) -> NodeList { NodeList(self[key]) }

  /// A number of likes or the like; nil for anything but a whole number.
  var count: Int? { integer.flatMap(Int.init(exactly:)) }
}
