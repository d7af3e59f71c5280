internal import SearchModel
internal import TextFormats

/// Collects the posts of an answer in one block, each once, and counts the items that cannot be read.
struct PageBuilder: ~Copyable {
  /// The page while it is read.
  var draft: PageDraft
  private var brokenItems = 0
  private var passedOver = 0
  /// Items that were left out as the page has their post already.
  private(set) var repeatedItems = 0
  /// The posts by `Post.serverHash`: servers give one post several addresses, and several posts one.
  private var hashes: SeenHashes
  /// True if the answer has more items than are read.
  private(set) var isTooLong = false

  /// The most items of a page that are read; no network has larger pages, but a server may send anything.
  static let mostItems = 20_000

  /// The size of all texts of a page that are read. They take less than their answer, unless many of its posts
  /// repeat one text of it.
  static let mostBytes = 128 << 20

  /// The number of items so far, including broken ones, duplicates and those passed over.
  private(set) var items = 0

  /// - Parameter list: The items of the page; a wrong number costs little memory.
  init(of source: SourceName, on page: PageRequest, expecting list: JSONNode? = nil) {
    let count = min(list?.childCount ?? 0, 1000)
    draft = PageDraft(source: source, server: page.server, expecting: count)
    hashes = SeenHashes(expecting: count)
  }

  /// Reads all items of a list.
  ///
  /// - Parameter post: Returns the post of an item; nil if it could not be read.
  init(
    _ list: JSONNode, of source: SourceName, on page: PageRequest,
    _ post: (JSONNode, inout PageDraft) -> PackedPost?
  ) {
    self.init(of: source, on: page, expecting: list)
    for item in list.elements where !isTooLong { add { post(item, &$0) } }
  }

  /// Reads all items of a list.
  ///
  /// - Parameter read: Sets what an item tells of a post; returns false if it could not be read.
  init(
    _ list: JSONNode, of source: SourceName, on page: PageRequest,
    _ read: (JSONNode, inout PackedPost, inout PageDraft) -> Bool
  ) {
    self.init(of: source, on: page, expecting: list)
    for item in list.elements where !isTooLong { add { read(item, &$0, &$1) } }
  }

  /// Adds an item.
  ///
  /// - Parameter post: Returns its post; nil if it could not be read.
  @inline(__always)
  mutating func add(_ post: (inout PageDraft) -> PackedPost?) {
    add { place, draft in
      guard let made = post(&draft) else { return false }
      place = made
      return true
    }
  }

  /// Adds an item.
  ///
  /// - Parameter read: Sets what it tells of a post; returns false if it could not be read.
  @inline(__always)
  mutating func add(_ read: (inout PackedPost, inout PageDraft) -> Bool) {
    guard items < Self.mostItems, draft.size <= Self.mostBytes else {
      isTooLong = true
      return
    }
    items += 1
    // In one place from the beginning: a packed post is too large to be handed from one function to the next.
    var post = PackedPost()
    guard read(&post, &draft) else {
      brokenItems += 1
      return
    }
    if !draft.add(&post, unlessIn: &hashes) { repeatedItems += 1 }
  }

  /// The reason why posts may be missing if most items share an identifier with another one: an identifier of
  /// threads, for example, keeps one post of each.
  var repetitionGap: String? {
    repeatedItems > draft.count
      ? "most items have the identifier of another one: check \"id\" in the declaration" : nil
  }

  /// Counts an item that could not be read.
  mutating func noteBroken() { add { _ in nil } }

  /// The reason items are missing if there were more than are read.
  private var excess: String? {
    isTooLong ? "only the first \(items) items of the page were read" : nil
  }

  /// Counts an item that is sound, but no result of the search.
  mutating func passOver() {
    items += 1
    passedOver += 1
  }

  /// Returns the page, which leads to another one or ends the search.
  consuming func page(_ next: NextPage, gap: String? = nil, notes: [String] = []) -> Page {
    let (gap, passedOver) = (gap ?? excess, passedOver)
    var page = Page(brokenItems: brokenItems, gap: gap, notes: notes)
    page.posts = draft.posts()
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
