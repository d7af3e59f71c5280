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
