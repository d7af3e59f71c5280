internal import TextFormats

/// A page of a listing, as a paging fault has cut it.
struct PageCut<Element> {
  /// The elements that are shown.
  let shown: [Element]
  /// The number of elements before the next page, shown or not; nil on the last page.
  let next: Int?
  /// The number of elements of the listing, shown or not.
  let total: Int
  /// The number of those that are shown.
  let shownTotal: Int
}

extension SimulatedWorld {
  /// Returns the page of a listing that begins after a number of elements.
  ///
  /// - Parameters:
  ///   - size: The number of elements of a page.
  ///   - namesNext: Whether the network says that there is a next page, so that one may be empty.
  func cut<Element>(
    _ found: some Collection<Element>, at offset: Int, size: Int, namesNext: Bool = true
  ) -> PageCut<Element> {
    let listing = listing(Array(found), size: max(size, 1), namesNext: namesNext)
    let page = listing.dropFirst(max(offset, 0)).prefix(size)
    let next = offset + page.count
    let isSelf = paging == .selfCursor && offset > 0
    return PageCut(
      shown: page.compactMap(\.self), next: next < listing.count ? (isSelf ? offset : next) : nil,
      total: listing.count, shownTotal: listing.count { $0 != nil })
  }

  /// The listing with nil for each element that is filtered after paging.
  private func listing<Element>(
    _ found: [Element], size: Int, namesNext: Bool
  ) -> [Element?] {
    switch paging {
    case .emptyPages where namesNext:
      var listing = [Element?](repeating: nil, count: size)
      for (index, element) in found.enumerated() {
        if index == size { listing.append(contentsOf: repeatElement(nil, count: 2 * size)) }
        listing.append(element)
      }
      return listing
    case .emptyPages, .shortPages:
      var listing: [Element?] = []
      for (index, element) in found.enumerated() {
        if index % 2 == 0 { listing.append(nil) }
        listing.append(element)
      }
      return listing
    case .repeatedPages:
      var listing: [Element?] = []
      for first in stride(from: 0, to: found.count, by: size) {
        let page = found[first..<min(first + size, found.count)]
        for element in page { listing.append(element) }
        // The second copy begins where a page does.
        if page.count == size { for element in page { listing.append(element) } }
      }
      return listing
    case .selfCursor, .deadCursor, .oneMoment, .errorBesideEmpty, .pauses, nil:
      return found
    }
  }

  /// Returns a cursor as it is sent.
  func cursor(_ text: String?) -> JSONValue? {
    text.map { paging == .deadCursor ? .members(["cursor": .string($0)]) : .string($0) }
  }
}
