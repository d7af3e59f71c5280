/// A list that rarely has more than one element: the first one takes no memory of its own.
struct ShortList<Element>: Sequence {
  private(set) var first: Element?
  private var others: [Element] = []

  var count: Int { first == nil ? 0 : others.count + 1 }

  mutating func append(_ element: Element) {
    if first == nil { first = element } else { others.append(element) }
  }

  func makeIterator() -> Iterator { Iterator(list: self) }

  struct Iterator: IteratorProtocol {
    fileprivate let list: ShortList
    private var position = 0

    fileprivate init(list: ShortList) { self.list = list }

    mutating func next() -> Element? {
      guard position < list.count else { return nil }
      position += 1
      return position == 1 ? list.first : list.others[position - 2]
    }
  }
}
