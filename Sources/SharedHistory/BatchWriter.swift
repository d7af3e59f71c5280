internal import FoundationEssentials
internal import PostHistory
internal import SearchModel

/// The rows that a transaction has locked.
struct HeldRows {
  /// The numbers of searches.
  var searches: [SearchKey: Int64] = [:]
  var posts: [Fingerprint: Identity] = [:]
}

/// Writes a run's posts and marks, within the caller's transaction.
struct BatchWriter {
  private let connection: PostgresConnection
  private let key: FingerprintKey
  private let batch: RunBatch
  private let fetched: Milliseconds
  private let searches: SearchTable

  init(_ connection: PostgresConnection, key: FingerprintKey, _ batch: RunBatch) {
    self.connection = connection
    self.key = key
    self.batch = batch
    fetched = Milliseconds(batch.now)
    searches = SearchTable(connection: connection, key: key)
  }

  /// - Parameter held: What the transaction has locked before.
  func write(after held: HeldRows = HeldRows()) throws {
    // All transactions lock searches first, and then posts.
    let numbers = held.searches.merging(
      try searches.hold(Set(batch.findings.map(\.search)).subtracting(held.searches.keys))
    ) { $1 }
    let identities = held.posts.merging(
      try IdentityTable(connection: connection).hold(fingerprints.subtracting(held.posts.keys))
    ) { $1 }
    let kept = batch.keepsPosts ? try storePosts(identities) : []
    var marks: [MarkTable.Place: MarkTable.Mark] = [:]
    var posts: [SearchKey: [Fingerprint]] = [:]
    for finding in batch.findings {
      guard let search = numbers[finding.search] else { continue }
      posts[finding.search, default: []] += try add(
        finding, of: search, identities, kept: kept, to: &marks)
    }
    try MarkTable(connection: connection).add(marks)
    try addMemories(numbers)
    try addWindows(numbers, posts, identities)
    try addNotes(posts)
    try Pruning.pruneDaily(batch, in: connection, key: key)
  }

  /// The posts that are read, or that are known from now on.
  private var fingerprints: Set<Fingerprint> {
    var all: Set<Fingerprint> = []
    for finding in batch.findings {
      for post in finding.posts { all.insert(key.fingerprint(of: PostIdentity(post))) }
      for uri in finding.known { all.insert(fingerprint(of: uri, in: finding)) }
    }
    return all
  }

  private func fingerprint(of uri: String, in finding: RunBatch.Finding) -> Fingerprint {
    key.fingerprint(of: PostIdentity(source: finding.search.source, uri: uri))
  }

  /// Stores each post, or what has changed of it; returns those that are kept.
  private func storePosts(_ identities: [Fingerprint: Identity]) throws -> Set<Fingerprint> {
    var seen: Set<Fingerprint> = []
    var drafts: [(identity: Identity, draft: PostDraft)] = []
    for post in batch.findings.lazy.flatMap(\.posts) {
      let fingerprint = key.fingerprint(of: PostIdentity(post))
      guard let identity = identities[fingerprint], seen.insert(fingerprint).inserted else {
        continue
      }
      drafts.append((identity, PostDraft(post)))
    }
    let table = PostTable(connection: connection)
    let changes = try table.changes(try renewed(drafts, in: table))
    let new = changes.filter { $0.earlier == nil }
    if !new.isEmpty {
      try table.makeRoom(at: fetched)
      try table.insert(new, key: key, fetched: fetched)
    }
    for change in changes where change.earlier != nil {
      try table.update(change, key: key, at: fetched)
    }
    return seen
  }

  /// Notes that posts were fetched again, and returns them with the new dates.
  private func renewed(
    _ drafts: [(identity: Identity, draft: PostDraft)], in table: PostTable
  ) throws -> [(identity: Identity, draft: PostDraft)] {
    let isDue = drafts.map { identity, _ in
      identity.fetched.map { FetchDate.isRenewed(Milliseconds(count: $0), at: fetched) } ?? false
    }
    guard isDue.contains(true) else { return drafts }
    try table.makeRoom(at: fetched)
    try table.renew(zip(drafts, isDue).filter(\.1).map(\.0.identity), fetched: fetched)
    return zip(drafts, isDue).map { draft, isDue in
      isDue
        ? (Identity(number: draft.identity.number, fetched: fetched.count), draft.draft) : draft
    }
  }

  /// Adds what one search has read; returns the posts of it that are kept, the oldest first.
  private func add(
    _ finding: RunBatch.Finding, of search: Int64, _ identities: [Fingerprint: Identity],
    kept: Set<Fingerprint>, to marks: inout [MarkTable.Place: MarkTable.Mark]
  ) throws -> [Fingerprint] {
    func mark(
      _ fingerprint: Fingerprint, by search: Int64, isPrinted: Bool, isKept: Bool
    ) {
      guard let identity = identities[fingerprint] else { return }
      let place = MarkTable.Place(post: identity.number, search: search)
      var mark = marks[place] ?? MarkTable.Mark()
      mark.isPrinted = mark.isPrinted || isPrinted
      mark.isKept = mark.isKept || isKept
      marks[place] = mark
    }
    for uri in finding.known {
      mark(fingerprint(of: uri, in: finding), by: -search, isPrinted: true, isKept: false)
    }
    try searches.addSkimmed(finding.skimmed, to: search, at: fetched)
    var found: [Fingerprint] = []
    for post in finding.postsOldestFirst {
      let identity = PostIdentity(post)
      let fingerprint = key.fingerprint(of: identity)
      let isKept = kept.contains(fingerprint)
      mark(
        fingerprint, by: search, isPrinted: batch.printed.contains(identity), isKept: isKept)
      if isKept { found.append(fingerprint) }
    }
    return found
  }

  /// Adds which searches were answered, and how far they were read.
  private func addMemories(_ numbers: [SearchKey: Int64]) throws {
    let changes = batch.findings.compactMap { finding in
      numbers[finding.search].flatMap { number in
        finding.memory.map { (search: number, change: $0) }
      }
    }
    let answered = batch.findings.filter(\.isAnswered).compactMap { numbers[$0.search] }
    try searches.note(
      firstRuns: changes.map { ($0.search, $0.change.knownBefore) }, answered: Set(answered),
      at: fetched)
    try searches.remember(changes, filter: batch.filter)
  }

  /// Adds the windows of which searches found everything.
  private func addWindows(
    _ numbers: [SearchKey: Int64], _ posts: [SearchKey: [Fingerprint]],
    _ identities: [Fingerprint: Identity]
  ) throws {
    for finding in batch.findings {
      guard let window = finding.window, let search = numbers[finding.search] else { continue }
      let found = (posts[finding.search] ?? []).compactMap { identities[$0]?.number }
      try searches.add(window, of: search, posts: found, fetched: fetched)
    }
  }

  /// Adds what the run leaves besides its posts: its parts, what it found for each tag, and the outbox.
  private func addNotes(_ posts: [SearchKey: [Fingerprint]]) throws {
    let notes = RunNotesTable(connection: connection, key: key)
    if let run = batch.run {
      let parts = run.parts.compactMap { part in
        posts[part.search].map {
          StoredRunPart(search: part.search, answer: part.answer, posts: $0)
        }
      }
      try notes.replace(run, parts)
    }
    for sighting in batch.sightings { try notes.add(sighting, at: fetched) }
    try OutboxTable(connection: connection).insert(batch.outbox)
  }
}
