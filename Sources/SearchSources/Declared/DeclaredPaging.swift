internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// How the pages of a declared source follow one another.
struct DeclaredPaging: Hashable, Sendable {
  /// What names the next page.
  enum Way: Hashable, Sendable {
    /// There is one page only.
    case none
    /// Numbers from this one on.
    case page(first: Int)
    /// The number of items before it.
    case offset
    /// A text or number in the answer.
    case cursor(NodePath)
    /// An address, in the answer or in its `Link` header.
    case link(NodePath?)
  }

  /// A cursor longer than this is none.
  static let longestMark = 8192

  var way: Way
  /// How many posts a page may be asked for.
  var sizes: ClosedRange<Int>
  /// The most pages of one search.
  var most: Int
  /// What says in an answer whether there are more; nil when nothing does.
  var more: NodePath?
  /// The number of pages in an answer; nil when it does not say.
  var pages: NodePath?
  /// The number of posts in all; nil when an answer does not say.
  var total: NodePath?

  /// The place of the next page, or why there is none that could be asked.
  enum Next {
    case end
    case at(Cursor)
    case unreachable(String)
  }

  /// What comes after an answer with so many items.
  func next(
    after place: DeclaredPlace, of page: PageRequest, _ response: HTTPResponse, _ root: JSONNode,
    items: Int
  ) -> Next {
    guard items > 0, !isLast(place, root, items: items) else { return .end }
    let mark: String
    switch way {
    case .none: return .end
    case .page: mark = ""
    case .offset: mark = String(offset(of: place) + items)
    case .cursor(let path):
      guard let cursor = path.node(in: root)?.identifier else { return .end }
      guard cursor.utf8.count <= Self.longestMark else {
        return .unreachable("the cursor of the next page is too long")
      }
      mark = cursor
    case .link(let path):
      let address: String?
      if let path {
        address = path.node(in: root)?.text
      } else {
        address = LinkHeader.next(in: response.headers)
      }
      guard let address else { return .end }
      guard let path = SameOrigin.path(of: address, on: page.server) else {
        return .unreachable("the next page lies on another server, which is not asked")
      }
      mark = path
    }
    guard place.pages + 1 < most else {
      return .unreachable("no more than \(most) pages of a query are asked for (page.most)")
    }
    return .at(place.next(at: mark))
  }

  /// The number of items before a place.
  func offset(of place: DeclaredPlace) -> Int { Int(place.mark) ?? 0 }

  private func isLast(_ place: DeclaredPlace, _ root: JSONNode, items: Int) -> Bool {
    if let more, !Self.isTrue(more.node(in: root)) { return true }
    if let pages, let count = pages.node(in: root)?.count, place.pages + 1 >= count { return true }
    if case .offset = way, let total, let count = total.node(in: root)?.count {
      let (given, overflow) = offset(of: place).addingReportingOverflow(items)
      return overflow || given >= count
    }
    return false
  }

  private static func isTrue(_ node: JSONNode?) -> Bool {
    guard let node else { return false }
    switch node.kind {
    case .bool: return node.bool == true
    case .number: return node.double != 0
    case .string: return node.string?.isEmpty == false && node.string != "false"
    case .object, .array: return node.childCount > 0
    case .null: return false
    }
  }
}
