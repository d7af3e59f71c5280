internal import FoundationEssentials
internal import SearchModel

/// A post on its way to its row.
struct PostDraft: Sendable {
  let fingerprint: Fingerprint
  let source: SourceName
  /// The number of its server.
  let server: Int64
  let createdAt: Date?
  /// The run's now.
  let fetched: Milliseconds
  let body: ArraySlice<UInt8>

  /// The texts that it is indexed with; nil if the body cannot be read.
  fileprivate var texts: IndexTexts? {
    let texts = body.withUnsafeBufferPointer { body in
      IndexedFields.read(stored: body, source: source) { IndexTexts($0) }
    }
    return texts ?? post.map { IndexTexts(of: $0) }
  }

  private var post: Post? {
    // Its server is not indexed.
    PostBody.nowhere.flatMap { nowhere in
      PostBody.post(from: body, source: source, server: nowhere, createdAt: createdAt)
    }
  }
}

/// Writes posts into their table and the index, within the caller's transaction.
struct PostWriter: ~Copyable {
  /// The posts whose texts are made at once.
  private static let postsAtOnce = 1024

  private let database: Database
  private let posts: PostTable
  private let marks: MarkTable
  private let words: WordTable
  private let lookup: MarkLookup
  private let rows: PostInsertion
  private let entries: WordInsertion
  private var sources: NameTable
  /// The second that was written to last, and the next free number in it.
  private var current: (second: Int64, next: Int64)?
  /// The seconds without a free number.
  private var fullSeconds: Set<Int64> = []
  /// The greatest number of all.
  private var newest: Int64
  /// True once a post was changed that was there already.
  private(set) var hasUpdated = false
  /// The largest distance of a post's number from its date, in seconds.
  private var longestShift: Int64 = 0

  init(_ database: Database, marks: MarkTable) throws {
    let posts = PostTable(database: database)
    let newest = try posts.greatest()
    let lookup = try MarkLookup(database)
    let rows = try PostInsertion(database)
    let entries = try WordInsertion(database)
    self.database = database
    self.marks = marks
    self.posts = posts
    self.newest = newest
    self.lookup = lookup
    self.rows = rows
    self.entries = entries
    words = WordTable(database: database)
    sources = .sources(database)
  }

  /// Stores each post, or what has changed of it, and returns their numbers; nil for those that cannot be
  /// read.
  ///
  /// - Parameter drafts: No two of the same post.
  mutating func store(_ drafts: [PostDraft]) throws -> [Int64?] {
    var numbers = [Int64?](repeating: nil, count: drafts.count)
    // Oldest first, so that most rows are appended to their table.
    let inOrder = Coming {
      drafts.places { $0.createdAt?.timeIntervalSince1970 ?? -.infinity }
    }
    // In the order of the index of marks, so that each of its pages is looked at once.
    for place in drafts.places(by: { $0.fingerprint.orderKey }) {
      numbers[place] = try lookup.post(drafts[place].fingerprint)
    }
    let changed = try inOrder.value.filter { place in
      // Most posts of a repeated run are as they were.
      let draft = drafts[place]
      guard let number = numbers[place],
        let fetched = try posts.fetched(number, with: draft.body)
      else { return true }
      if FetchDate.isRenewed(fetched, at: draft.fetched) {
        try posts.renew(number, fetched: draft.fetched)
      }
      return false
    }
    let parts = stride(from: 0, to: changed.count, by: Self.postsAtOnce).map { start in
      changed[start..<min(start + Self.postsAtOnce, changed.count)]
    }
    // While the posts of one part are stored, another thread makes the texts of the next one.
    var coming = Self.texts(of: parts.first ?? [], in: drafts)
    for (count, part) in parts.enumerated() {
      let texts = coming.value
      coming = Self.texts(of: count + 1 < parts.count ? parts[count + 1] : [], in: drafts)
      for (place, texts) in zip(part, texts) {
        numbers[place] = try texts.map { try store(drafts[place], $0, known: numbers[place]) }
      }
    }
    if longestShift > 0 { try Chore.shift.raise(to: longestShift, in: database) }
    return numbers
  }

  private static func texts(
    of places: ArraySlice<Int>, in drafts: [PostDraft]
  ) -> Coming<[IndexTexts?]> {
    Coming { places.map { drafts[$0].texts } }
  }

  /// Stores a post that is new, or not as it was.
  ///
  /// - Parameter number: The number of the row that it has already.
  private mutating func store(
    _ draft: PostDraft, _ texts: IndexTexts, known number: Int64?
  ) throws -> Int64 {
    if let number, let stored = try posts.find(number) {
      try update(stored, to: draft, texts)
      return number
    }
    let number = try freeNumber(for: draft)
    try rows.insert(
      number, source: try sources.number(of: draft.source.rawValue), server: draft.server,
      created: draft.createdAt, fetched: draft.fetched, body: draft.body)
    try entries.insert(texts, number)
    return number
  }

  private mutating func update(
    _ stored: StoredPost, to draft: PostDraft, _ texts: IndexTexts
  ) throws {
    let body = Array(draft.body)
    if PostBody.text(inBody: body) != stored.post.searchableText {
      try RevisionTable(database: database).insert(
        stored.body, of: stored.number, replaced: draft.fetched)
    }
    let old = IndexTexts(of: stored.post)
    if texts != old {
      try words.delete(old, stored.number)
      try words.insert(texts, stored.number)
    }
    try posts.update(stored.number, body: body, fetched: draft.fetched)
    if !hasUpdated { try database.forgetFolded() }
    hasUpdated = true
  }

  private mutating func freeNumber(for draft: PostDraft) throws -> Int64 {
    let tolerated = draft.fetched.count + Int64(Merge.toleratedLead * 1000)
    guard let created = draft.createdAt.map({ Milliseconds($0) }), created.count <= tolerated else {
      return try posts.firstFree(from: PostNumber.firstUndated, to: PostNumber.firstUndated / 2)
    }
    var second = created.second
    while true {
      let end = PostNumber.first(ofSecond: second + 1)
      if let next = try nextNumber(in: second), next < end {
        current = (second, next + 1)
        newest = max(newest, next)
        longestShift = max(longestShift, second - created.second)
        return next
      }
      fullSeconds.insert(second)
      second += 1
    }
  }

  /// The next free number of a second, or that of the second after it where it is full; nil for a second that
  /// is known to be full.
  private func nextNumber(in second: Int64) throws -> Int64? {
    if let current, current.second == second { return current.next }
    if !fullSeconds.isEmpty, fullSeconds.contains(second) { return nil }
    let first = PostNumber.first(ofSecond: second)
    // It is newer than all others.
    if first > newest { return first }
    return try posts.firstFree(from: first, to: PostNumber.first(ofSecond: second + 1))
  }
}
