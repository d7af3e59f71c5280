internal import SearchModel
internal import TextFormats

/// Collects the posts of an answer, each once, and counts the items that cannot be read.
struct PageBuilder {
  private(set) var posts: [Post] = []
  private var brokenItems = 0
  private var passedOver = 0
  private var uris: Set<String> = []

  /// The number of items so far, including broken ones, duplicates and those passed over.
  private(set) var items = 0

  /// - Parameter count: The stated number of items; a wrong one costs little memory.
  init(expecting count: Int = 0) {
    posts.reserveCapacity(min(count, 1000))
    uris.reserveCapacity(min(count, 1000))
  }

  /// Reads all items of a list.
  init(_ list: JSONNode, _ post: (JSONNode) -> Post?) {
    self.init(expecting: list.childCount)
    for item in list.elements { add(post(item)) }
  }

  /// Adds an item; nil if it could not be read.
  mutating func add(_ post: Post?) {
    items += 1
    guard let post else {
      brokenItems += 1
      return
    }
    if uris.insert(post.uri).inserted { posts.append(post) }
  }

  /// Counts an item that is sound, but no result of the search.
  mutating func passOver() {
    items += 1
    passedOver += 1
  }

  /// Returns the page, which leads to another one or ends the search.
  func page(_ next: NextPage, gap: String? = nil, notes: [String] = []) -> Page {
    var page = Page(posts: posts, brokenItems: brokenItems, gap: gap, notes: notes)
    page.passedOver = passedOver
    switch next {
    case .end: break
    case .at(let cursor): page.next = cursor
    case .beyondLimit(let reason): page.missing = reason
    case .unreachable(let reason): page.deadEnd = reason
    }
    return page
  }
}

/// Web addresses in their order, each once.
///
/// An answer may contain any number of them, and each is compared with those before it: only the first
/// thousand are kept.
struct AddressList {
  private static let most = 1000

  private(set) var all: [String] = []

  /// Adds an address if it is http or https.
  mutating func add(_ address: String?) {
    guard all.count < Self.most, let address, address.isHTTPURL, !all.contains(address)
    else { return }
    all.append(address)
  }

  mutating func add(_ addresses: [String]) {
    for address in addresses { add(address) }
  }
}
