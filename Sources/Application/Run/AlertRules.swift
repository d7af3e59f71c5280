internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchModel

/// The tags that must not be silent for long, and the factor from which posts are too many.
struct AlertRules: Sendable {
  /// The fewest and the most earlier days whose same hour is compared.
  private static let fewestDays = 7
  private static let mostDays = 28
  private static let fewestPosts = 10
  private static let hour = 3600.0
  private static let day = 86_400.0

  /// The longest expected silence of each tag, in seconds.
  private let silences: [TagKey: Double]
  /// The factor above the usual number of posts; nil for no such alert.
  private let factor: Double?
  private let tags: [TagKey]

  /// - Parameter queries: The tags of the run, some of which may have an expectation of their own.
  init(_ queries: [RunQuery], _ settings: RunSettings) {
    guard
      settings.alerts.silence != nil || settings.alerts.factor != nil
        || queries.contains(where: { $0.expectWithin != nil })
    else {
      self = AlertRules()
      return
    }
    var silences: [TagKey: Double] = [:]
    var tags: [TagKey] = []
    var known: Set<TagKey> = []
    for query in queries {
      let key = TagKey(tag: query.query.text, isRaw: query.query.isRaw)
      if known.insert(key).inserted { tags.append(key) }
      guard let silence = query.expectWithin ?? settings.alerts.silence else { continue }
      silences[key] = min(silences[key] ?? silence, silence)
    }
    self.init(silences: silences, factor: settings.alerts.factor, tags: tags)
  }

  private init(silences: [TagKey: Double], factor: Double?, tags: [TagKey]) {
    (self.silences, self.factor, self.tags) = (silences, factor, tags)
  }

  /// No alerts at all.
  init() { self.init(silences: [:], factor: nil, tags: []) }

  /// True if there is nothing to watch.
  var isEmpty: Bool { silences.isEmpty && factor == nil }

  /// The alerts of a run, in the order of its tags.
  ///
  /// A tag for which no search was answered says nothing about its posts. Posts that are not for everyone do
  /// not count, as an alert would tell others of them.
  func alerts(
    after readings: Readings, in store: any HistoryStore, now: Date
  ) throws(HistoryError) -> [TagAlert] {
    let memories = try store.tags()
    var answered: Set<TagKey> = []
    var newest: [TagKey: Date] = [:]
    var recent: [TagKey: Set<PostIdentity>] = [:]
    let hour = now.addingTimeInterval(-Self.hour)...now
    for reading in readings {
      let query = reading.search.query
      let key = TagKey(tag: query.text, isRaw: query.isRaw)
      if reading.ending.isAnswered { answered.insert(key) }
      if let date = reading.newestFound, date <= now {
        newest[key] = max(newest[key] ?? date, date)
      }
      guard factor != nil else { continue }
      for post in reading.posts + reading.printedByOthers where post.isOpen {
        guard let date = post.createdAt, hour.contains(date) else { continue }
        recent[key, default: []].insert(PostIdentity(post))
      }
    }
    let usual = try usual(of: recent.keys.filter { answered.contains($0) }, memories, store, now)
    if !usual.isEmpty {
      for (key, posts) in try store.found(from: hour.lowerBound, until: now) {
        recent[key]?.formUnion(posts)
      }
    }
    var alerts: [TagAlert] = []
    for key in tags where answered.contains(key) {
      if let silence = silences[key] {
        let dates = [memories[key]?.firstRun ?? now, memories[key]?.newest, newest[key]]
        let since = dates.compactMap(\.self).filter { $0 <= now }.max() ?? now
        if now.timeIntervalSince(since) > silence {
          alerts.append(TagAlert(tag: key.tag, kind: .silent(since: since)))
        }
      }
      guard let factor, let usual = usual[key], let rate = recent[key]?.count else { continue }
      if rate >= Self.fewestPosts, Double(rate) > factor * usual {
        alerts.append(TagAlert(tag: key.tag, kind: .spike(rate: rate, usual: usual)))
      }
    }
    return alerts
  }

  /// The median of the numbers of posts in this hour of earlier days, of each tag that has been watched
  /// for long enough.
  private func usual(
    of keys: [TagKey], _ memories: [TagKey: TagMemory], _ store: any HistoryStore, _ now: Date
  ) throws(HistoryError) -> [TagKey: Double] {
    let days = keys.compactMap { key -> (key: TagKey, count: Int)? in
      guard factor != nil, let first = memories[key]?.firstRun else { return nil }
      let count = Int(now.timeIntervalSince(first) / Self.day)
      return count >= Self.fewestDays ? (key, min(count, Self.mostDays)) : nil
    }
    guard let longest = days.map(\.count).max() else { return [:] }
    var counts: [TagKey: [Int]] = [:]
    for number in 1...longest {
      let end = now.addingTimeInterval(Double(-number) * Self.day)
      let found = try store.found(from: end.addingTimeInterval(-Self.hour), until: end)
      for (key, count) in days where number <= count {
        counts[key, default: []].append(found[key]?.count ?? 0)
      }
    }
    return counts.mapValues { counts in
      let sorted = counts.sorted()
      let middle = sorted.count / 2
      return sorted.count % 2 == 1
        ? Double(sorted[middle]) : Double(sorted[middle - 1] + sorted[middle]) / 2
    }
  }
}
