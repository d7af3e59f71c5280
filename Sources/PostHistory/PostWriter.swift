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
  let body: [UInt8]

  /// The post as it is indexed; nil if the body cannot be read.
  fileprivate var post: Post? {
    // Its server is not indexed.
    PostBody.nowhere.flatMap { nowhere in
      PostBody.post(from: body[...], source: source, server: nowhere, createdAt: createdAt)
    }
  }
}

/// Writes posts into their table and the index, within the caller's transaction.
struct PostWriter {
  /// The posts whose texts are made at once.
  private static let postsAtOnce = 1024

  private let database: Database
  private let posts: PostTable
  private let marks: MarkTable
  private let words: WordTable
  private var sources: NameTable
  /// The next free number in each second that was written to.
  private var nextNumbers: [Int64: Int64] = [:]
  /// The greatest number of all.
  private var newest: Int64
  /// True once a post was changed that was there already.
  private(set) var hasUpdated = false
  /// The largest distance of a post's number from its date, in seconds.
  private var longestShift: Int64 = 0

  init(_ database: Database, marks: MarkTable) throws {
    self.database = database
    self.marks = marks
    posts = PostTable(database: database)
    words = WordTable(database: database)
    sources = .sources(database)
    newest = try posts.greatest()
  }

  /// Stores each post, or what has changed of it, and returns their numbers.
  ///
  /// - Parameter drafts: No two of the same post.
  mutating func store(_ drafts: [PostDraft]) throws -> [Fingerprint: Int64] {
    var numbers: [Fingerprint: Int64] = [:]
    var changes: [Change] = []
    var known = [Int64?](repeating: nil, count: drafts.count)
    // In the order of the index of marks, so that each of its pages is looked at once.
    for place in places(of: drafts, by: \.fingerprint) {
      known[place] = try marks.post(drafts[place].fingerprint)
    }
    // Oldest first, so that most rows are appended to their table.
    for place in places(of: drafts, by: { $0.createdAt ?? .distantPast }) {
      let draft = drafts[place]
      // Most posts of a repeated run are as they were.
      if let number = known[place], try posts.holds(draft.body, number) {
        numbers[draft.fingerprint] = number
      } else {
        changes.append(Change(draft: draft, number: known[place]))
      }
    }
    let parts = stride(from: 0, to: changes.count, by: Self.postsAtOnce).map { start in
      Array(changes[start..<min(start + Self.postsAtOnce, changes.count)])
    }
    // While the posts of one part are stored, another thread makes the texts of the next one.
    var coming = Self.texts(of: parts.first ?? [])
    for (place, part) in parts.enumerated() {
      let texts = coming.value
      coming = Self.texts(of: place + 1 < parts.count ? parts[place + 1] : [])
      for (change, texts) in zip(part, texts) {
        guard let texts else { continue }
        numbers[change.draft.fingerprint] = try store(change, texts)
      }
    }
    if longestShift > 0 { try Chore.shift.raise(to: longestShift, in: database) }
    return numbers
  }

  /// The places of drafts in an order; to move the drafts themselves takes ten times as long.
  private func places<Key: Comparable>(
    of drafts: [PostDraft], by key: (PostDraft) -> Key
  ) -> [Int] {
    drafts.enumerated().map { (key: key($1), place: $0) }
      .sorted { $0.key < $1.key }
      .map(\.place)
  }

  /// The texts of some posts, nil for those that cannot be read.
  private static func texts(of changes: [Change]) -> Coming<[RowTexts?]> {
    Coming { changes.mapOnAllCores { $0.draft.post.map(RowTexts.init) } }
  }

  /// A post that is new, or not as it was.
  private struct Change: Sendable {
    let draft: PostDraft
    /// The number of the row that it has already.
    let number: Int64?
  }

  private struct RowTexts: Sendable {
    let searchable: String
    let index: IndexTexts

    init(_ post: Post) {
      searchable = post.searchableText
      index = IndexTexts(of: post)
    }
  }

  private mutating func store(_ change: Change, _ texts: RowTexts) throws -> Int64 {
    let draft = change.draft
    if let number = change.number, let stored = try posts.find(number) {
      try update(stored, to: draft, texts)
      return number
    }
    let number = try freeNumber(for: draft)
    try posts.insert(
      number, source: try sources.number(of: draft.source.rawValue), server: draft.server,
      created: draft.createdAt, fetched: draft.fetched, body: draft.body)
    try words.insert(texts.index, number)
    return number
  }

  private mutating func update(_ stored: StoredPost, to draft: PostDraft, _ texts: RowTexts) throws
  {
    if stored.post.searchableText != texts.searchable {
      try RevisionTable(database: database).insert(
        stored.body, of: stored.number, replaced: draft.fetched)
    }
    let old = IndexTexts(of: stored.post)
    if texts.index != old {
      try words.delete(old, stored.number)
      try words.insert(texts.index, stored.number)
    }
    try posts.update(stored.number, body: draft.body)
    if !hasUpdated { try FoldedTable(database: database, key: marks.key).clear() }
    hasUpdated = true
  }

  private mutating func freeNumber(for draft: PostDraft) throws -> Int64 {
    let tolerated = draft.fetched.count + Int64(Merge.toleratedLead * 1000)
    guard let created = draft.createdAt.map({ Milliseconds($0) }), created.count <= tolerated else {
      return try posts.firstFree(from: PostNumber.firstUndated, to: PostNumber.firstUndated / 2)
    }
    var second = created.second
    if PostNumber.first(ofSecond: second) > newest {
      // It is newer than all others.
      nextNumbers[second] = PostNumber.first(ofSecond: second)
    }
    while true {
      let end = PostNumber.first(ofSecond: second + 1)
      let next =
        try nextNumbers[second]
        ?? posts.firstFree(from: PostNumber.first(ofSecond: second), to: end)
      if next < end {
        nextNumbers[second] = next + 1
        newest = max(newest, next)
        longestShift = max(longestShift, second - created.second)
        return next
      }
      nextNumbers[second] = next
      second += 1
    }
  }
}
