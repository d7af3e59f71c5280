internal import FoundationEssentials
internal import SearchModel

/// Reads the runs, windows and answers of earlier runs back with their posts.
struct KeptAnswers {
  private let posts: PostTable
  private let marks: MarkTable
  private let searches: SearchTable
  private let runs: RunTable
  private let windows: WindowTable

  init(_ database: Database) throws {
    posts = PostTable(database: database)
    marks = try MarkTable(database)
    searches = SearchTable(database: database)
    runs = RunTable(database: database)
    windows = WindowTable(database: database)
  }

  /// Returns the last run of that name with its posts; nil if there is none.
  ///
  /// A search that has lost a post since counts as not completed.
  func run(named name: String) throws -> PastRun? {
    guard let found = try runs.find(name) else { return nil }
    var run = found.run
    let parts = try found.parts.map { part in
      // Oldest first.
      let numbers = try part.posts.compactMap(marks.post).sorted()
      let kept = try numbers.compactMap { try posts.find($0)?.post }
      return PastRun.Part(
        search: part.search, answer: kept.count == part.posts.count ? part.answer : nil,
        posts: kept)
    }
    run.parts = BatchList(parts)
    return run
  }

  /// The windows of a search, newest first, without those that have lost a post since.
  func windows(of search: SearchKey, filter: String) throws -> [StoredWindow] {
    guard let number = try searches.find(search) else { return [] }
    return try windows.all(of: number, filter: filter).compactMap { window, numbers in
      let posts = try posts(numbers, of: number)
      var window = window
      window.posts = posts.compactMap(\.self)
      return window.posts.count == posts.count ? window : nil
    }
  }

  /// The moment at which each search was answered last, and its newest posts within some dates; those without
  /// a date are within any.
  func answers(
    to keys: [SearchKey], since: Date?, until: Date?
  ) throws -> [SearchKey: (answered: Date, posts: [Post])] {
    var numbers: [Int64: (search: SearchKey, answered: Date, posts: [Int64])] = [:]
    for key in Set(keys) {
      guard let answer = try searches.answer(to: key) else { continue }
      numbers[answer.number] = (key, answer.answered, [])
    }
    guard !numbers.isEmpty else { return [:] }
    let first = since.map { PostNumber.first(ofSecond: Milliseconds($0).second) }
    try marks.eachPost(from: first ?? .min) { search, post in numbers[search]?.posts.append(post) }
    var answers: [SearchKey: (answered: Date, posts: [Post])] = [:]
    for (search, answered, all) in numbers.values {
      let newest = all.sorted(by: >)
      answers[search] = (answered, try posts(newest, since: since, until: until))
    }
    return answers
  }

  /// The posts of a span of dates that are for everyone, by the tags that found them.
  ///
  /// - Parameter shift: The largest distance of a post's number from its date, in seconds.
  func found(
    from first: Date, until last: Date, shift: Int64
  ) throws -> [TagKey: Set<PostIdentity>] {
    var found: [TagKey: Set<PostIdentity>] = [:]
    try posts.each(from: first, until: last, shift: shift) { stored in
      guard stored.post.isOpen else { return }
      let identity = PostIdentity(stored.post)
      let fingerprint = marks.key.fingerprint(of: identity)
      for tag in try marks.tags(fingerprint, post: stored.number) {
        found[tag, default: []].insert(identity)
      }
    }
    return found
  }

  /// The first posts of a list of numbers that were written within some dates, or have none.
  private func posts(
    _ numbers: [Int64], since: Date?, until: Date?
  ) throws -> [Post] {
    var found: [Post] = []
    for number in numbers {
      guard let post = try posts.find(number)?.post else { continue }
      if post.createdAt?.isWithin(since: since, until: until) ?? true { found.append(post) }
    }
    return found
  }

  /// The posts with some numbers, nil for those that the search's finding no longer has: a number may
  /// have passed on to another post since.
  private func posts(_ numbers: [Int64], of search: Int64) throws -> [Post?] {
    try numbers.map { number in
      guard let post = try posts.find(number)?.post else { return nil }
      let fingerprint = marks.key.fingerprint(of: post)
      return try marks.holds(fingerprint, search: search, post: number) ? post : nil
    }
  }
}
