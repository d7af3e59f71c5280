/// A list of a batch whose elements may be made one by one, as a run may have a million searches.
package struct BatchList<Element: Sendable>: RandomAccessCollection, Sendable {
  private enum Content: Sendable {
    case made([Element])
    case onDemand(count: Int, make: @Sendable (Int) -> Element)
  }

  private let content: Content

  package init(_ elements: [Element]) { content = .made(elements) }

  /// - Parameter make: Makes an element each time that it is asked for.
  package init(count: Int, _ make: @escaping @Sendable (Int) -> Element) {
    content = .onDemand(count: count, make: make)
  }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch content {
    case .made(let elements): elements.count
    case .onDemand(let count, _): count
    }
  }

  package subscript(position: Int) -> Element {
    switch content {
    case .made(let elements): elements[position]
    case .onDemand(_, let make): make(position)
    }
  }
}
