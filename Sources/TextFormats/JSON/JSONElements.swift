/// The elements of an array, one after the other.
@safe
package struct JSONElements: Sequence, IteratorProtocol {
  var upcoming: JSONNode
  let end: Int

  init(next: JSONNode, end: Int) {
    upcoming = next
    self.end = end
  }

  package mutating func next() -> JSONNode? {
    guard upcoming.index < end else { return nil }
    let node = upcoming
    upcoming = unsafe JSONNode(tape: node.tape, strings: node.strings, index: node.end)
    return node
  }
}
