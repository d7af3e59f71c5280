/// The members of an object, in the order of the document.
@safe
package struct JSONMembers: Sequence, IteratorProtocol {
  var upcoming: JSONNode
  let end: Int

  init(next: JSONNode, end: Int) {
    upcoming = next
    self.end = end
  }

  /// The next key, itself a string node, and its value, which may be null.
  package mutating func next() -> (key: JSONNode, value: JSONNode)? {
    guard upcoming.index < end else { return nil }
    let key = upcoming
    let value = unsafe JSONNode(tape: key.tape, strings: key.strings, index: key.index + 1)
    upcoming = unsafe JSONNode(tape: key.tape, strings: key.strings, index: value.end)
    return (key, value)
  }
}
