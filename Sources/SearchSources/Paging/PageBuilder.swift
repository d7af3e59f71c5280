internal import SearchModel
internal import TextFormats

/// Collects the posts of an answer, each once, and counts the items that cannot be read.
struct PageBuilder {
  private(set) var posts: [Post] = []
  private var brokenItems = 0
  private var passedOver = 0
  /// The posts by `Post.serverHash`: servers give one post several addresses, and several posts one.
  private var hashes: SeenHashes
  /// True if the answer has more items than are read.
  private(set) var isTooLong = false

  /// The most items of a page that are read; no network has larger pages, but a server may send anything.
  static let mostItems = 20_000

  /// The number of items so far, including broken ones, duplicates and those passed over.
  private(set) var items = 0

  /// - Parameter count: The stated number of items; a wrong one costs little memory.
  init(expecting count: Int = 0) {
    posts.reserveCapacity(min(count, 1000))
    hashes = SeenHashes(expecting: min(count, 1000))
  }

  /// Reads all items of a list.
  init(_ list: JSONNode, _ post: (JSONNode) -> Post?) {
    self.init(expecting: list.childCount)
    for item in list.elements {
      add(items < Self.mostItems ? post(item) : nil)
      if isTooLong { break }
    }
  }

  /// Reads all items of a list into one block.
  init(
    _ list: JSONNode, of source: SourceName, on page: PageRequest,
    _ read: (JSONNode, inout PackedPost, inout PageDraft) -> Bool
  ) {
    self.init(expecting: list.childCount)
    var draft = PageDraft(source: source, server: page.server, expecting: list)
    for item in list.elements {
      add(to: &draft) { read(item, &$0, &$1) }
      if isTooLong { break }
    }
    posts = draft.posts()
  }

  /// Adds an item; nil if it could not be read.
  mutating func add(_ post: Post?) {
    guard items < Self.mostItems else {
      isTooLong = true
      return
    }
    items += 1
    guard let post else {
      brokenItems += 1
      return
    }
    if hashes.insert(post.serverHash) { posts.append(post) }
  }

  /// Adds an item to the posts of a draft.
  ///
  /// - Parameter read: Sets what the item tells of a post; returns false if it could not be read.
  @inline(__always)
  mutating func add(
    to draft: inout PageDraft, _ read: (inout PackedPost, inout PageDraft) -> Bool
  ) {
    guard items < Self.mostItems else {
      isTooLong = true
      return
    }
    items += 1
    // In one place from the beginning: a packed post is too large to be handed from one function to the next.
    var post = PackedPost()
    if read(&post, &draft) { draft.add(&post, unlessIn: &hashes) } else { brokenItems += 1 }
  }

  /// Why items are missing if there were more than are read.
  private var excess: String? {
    isTooLong ? "only the first \(Self.mostItems) items of the page were read" : nil
  }

  /// Counts an item that is sound, but no result of the search.
  mutating func passOver() {
    items += 1
    passedOver += 1
  }

  /// Returns the page with the posts of a draft, which leads to another one or ends the search.
  func page(
    _ next: NextPage, of draft: consuming PageDraft, notes: [String] = []
  ) -> Page {
    page(next, of: draft.posts(), gap: nil, notes)
  }

  /// Returns the page, which leads to another one or ends the search.
  func page(_ next: NextPage, gap: String? = nil, notes: [String] = []) -> Page {
    page(next, of: posts, gap: gap, notes)
  }

  private func page(
    _ next: NextPage, of posts: [Post], gap: String?, _ notes: [String]
  ) -> Page {
    var page = Page(posts: posts, brokenItems: brokenItems, gap: gap ?? excess, notes: notes)
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
  static let most = 1000

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

/// The attachments of a post in their order, each address once; as many as an `AddressList` keeps.
struct AttachmentList {
  private static let most = 1000

  private(set) var all: [PostAttachment] = []

  var isEmpty: Bool { all.isEmpty }

  var isFull: Bool { all.count >= Self.most }

  /// Adds an attachment if its address is http or https.
  mutating func add(
    _ address: String?, _ kind: PostAttachment.Kind? = nil, type: String? = nil,
    description: String? = nil, thumbnail: String? = nil
  ) {
    guard !isFull, let address, address.isHTTPURL, !all.contains(where: { $0.url == address })
    else { return }
    all.append(
      PostAttachment(
        address, kind: kind, type: type, description: description,
        thumbnail: thumbnail.flatMap { $0.isHTTPURL ? $0 : nil }))
  }

  mutating func add(_ attachments: [PostAttachment]) {
    for attachment in attachments
    where !isFull && !all.contains(where: { $0.url == attachment.url }) {
      all.append(attachment)
    }
  }
}

/// The same for addresses in an answer, valid as long as its nodes.
struct NodeAddresses {
  private(set) var all = ShortList<UnsafeBufferPointer<UInt8>>()

  mutating func add(_ address: JSONNode?) {
    guard all.count < AddressList.most, let bytes = address?.stringBytes, bytes.isHTTPURL,
      !all.contains(where: { $0.elementsEqual(bytes) })
    else { return }
    all.append(bytes)
  }
}
