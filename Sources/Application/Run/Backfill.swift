internal import FoundationEssentials
internal import PostHistory
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import Synchronization

/// The windows of `run --backfill`: those that earlier runs completed are taken from the history, and
/// those that this run completes are kept there at once, so that a run can be resumed.
final class Backfill: ReadingKeeper {
  /// A search whose windows are kept.
  private struct Progress {
    let search: SearchKey
    /// The source that is asked for one window after the other; nil where the whole span is one window.
    let windows: WindowedSource?
    /// The spans that earlier runs left.
    let left: [DateSpan]
    /// The second down to which each of them is kept by now, by its place.
    var kept: [Int: Int] = [:]
    /// The number of posts taken from the reading.
    var taken = 0
    /// Those of them that are in no complete window yet.
    var pending: [Post] = []

    /// The part of a complete span that was not kept before; nil for none.
    func part(_ span: DateSpan, until now: Date) -> Part? {
      guard let place = left.firstIndex(where: { $0.end == span.end }) else { return nil }
      let now = Int(now.timeIntervalSince1970)
      let end = kept[place] ?? min(span.end ?? now, now)
      guard span.first < end else { return nil }
      var part = Part(place: place, seconds: span.first..<end)
      part.posts = pending.filter(part.holds)
      return part
    }

    mutating func note(kept part: Part) {
      pending.removeAll(where: part.holds)
      kept[part.place] = part.seconds.lowerBound
    }
  }

  /// The posts of a part of a span.
  private struct Part {
    /// The place of the span among those that earlier runs left.
    let place: Int
    let seconds: Range<Int>
    var posts: [Post] = []

    /// True for the posts of its seconds, and for those without a date.
    func holds(_ post: Post) -> Bool {
      guard let second = post.createdAt?.timeIntervalSince1970 else { return true }
      return second >= Double(seconds.lowerBound) && second < Double(seconds.upperBound)
    }
  }

  /// Posts may arrive this many seconds late: the last hour before a run is read again when it has
  /// passed.
  private static let lateness = 3600
  /// The shortest span up to now, in seconds: X refuses one of its last ten.
  private static let shortest = 60

  /// Nil when it could not be opened: then nothing is resumed.
  private let store: (any HistoryStore)?
  private let settings: RunSettings
  private let filter: String
  /// By search.
  private let progress = Mutex<[SearchKey: Progress]>([:])
  private let note: @Sendable (HistoryError) -> Void

  /// - Parameters:
  ///   - filter: The settings that decide which posts count.
  ///   - note: Reports an error of the history.
  init(
    _ settings: RunSettings, filter: String, store: (any HistoryStore)?,
    note: @escaping @Sendable (HistoryError) -> Void
  ) {
    self.settings = settings
    self.filter = filter
    self.store = store
    self.note = note
  }

  /// The plan for what earlier runs have not completed, with what they have.
  func adapted(_ plan: [PlannedSearch]) -> [PlannedSearch] {
    plan.flatMap { planned -> [PlannedSearch] in
      guard case .ask(var search) = planned, let since = settings.limits.since else {
        return [planned]
      }
      search.cap = nil
      search.isCapDefault = false
      let whole = DateSpan(
        first: Int(since.timeIntervalSince1970.rounded(.down)),
        end: settings.limits.until.map { Int($0.timeIntervalSince1970.rounded(.up)) })
      let key = SearchKey(search)
      let windows = windows(of: key)
      var left = whole.subtracting(windows.map(\.span))
      if let newest = left.first, newest.end == nil {
        let latest = Int(settings.now.timeIntervalSince1970) - Self.shortest
        left[0].first = max(min(newest.first, latest), whole.first)
      }
      let isWindowed = search.source.traits.filtersByDate
      guard isWindowed || left.isEmpty else {
        keepProgress(Progress(search: key, windows: nil, left: [whole]))
        return [.ask(search)]
      }
      let posts = windows.filter { $0.span.subtracting([whole]) != [$0.span] }.flatMap(\.posts)
      guard !left.isEmpty else {
        var outcome = search.outcome(.completed())
        (outcome.posts, outcome.pages) = (posts.count, 0)
        return [.stored(StoredSearch(search, posts: within(posts), outcome: outcome))]
      }
      let source = WindowedSource(search.source, spans: left)
      keepProgress(Progress(search: key, windows: source, left: left))
      search.endpoint = search.endpoint.with(source)
      search.readsWindows = true
      guard !posts.isEmpty else { return [.ask(search)] }
      return [.ask(search), .stored(StoredSearch(search, posts: within(posts)))]
    }
  }

  private func keepProgress(_ new: Progress) { progress.withLock { $0[new.search] = new } }

  private func within(_ posts: [Post]) -> [Post] {
    posts.filter(settings.limits.hold)
  }

  private func windows(of search: SearchKey) -> [(span: DateSpan, posts: [Post])] {
    do throws(HistoryError) {
      return try (store?.windows(of: search, filter: filter) ?? []).map { window in
        var end = window.last.timeIntervalSince1970
        let certain = window.fetched.timeIntervalSince1970 - Double(Self.lateness)
        if settings.now.timeIntervalSince(window.fetched) >= Double(Self.lateness) {
          end = min(end, certain)
        }
        return (
          DateSpan(first: Int(window.first.timeIntervalSince1970), end: Int(end)), window.posts
        )
      }
    } catch {
      note(error)
      return []
    }
  }

  /// Keeps the windows that are complete by now, each with its posts.
  func keep(_ readings: [Reading]) {
    for reading in readings where !reading.isStored {
      let key = SearchKey(reading.search)
      for span in take(reading, of: key) {
        guard let part = progress.withLock({ $0[key]?.part(span, until: settings.now) }) else {
          continue
        }
        // Outside the lock: another process may hold the history for a while.
        do throws(HistoryError) {
          try store?.commit(batch(of: part, for: key))
        } catch {
          note(error)
          continue
        }
        progress.withLock { $0[key]?.note(kept: part) }
      }
    }
  }

  /// Takes the posts of a reading; returns the spans that are complete by now.
  private func take(_ reading: Reading, of key: SearchKey) -> [DateSpan] {
    progress.withLock { progress in
      guard var own = progress[key] else { return [] }
      let isWhole = reading.isExhausted && reading.ending.isAnswered
      own.pending += reading.posts[min(own.taken, reading.posts.count)...]
      own.taken = reading.posts.count
      progress[key] = own
      return own.windows?.completeSpans(next: reading.next, isExhausted: isWhole)
        ?? (isWhole ? own.left : [])
    }
  }

  private func batch(of part: Part, for key: SearchKey) -> RunBatch {
    let window = StoredWindow(
      filter: filter, first: Date(timeIntervalSince1970: Double(part.seconds.lowerBound)),
      last: Date(timeIntervalSince1970: Double(part.seconds.upperBound)))
    return RunBatch(
      now: settings.now,
      findings: [
        RunBatch.Finding(search: key, posts: part.posts, isAnswered: true, window: window)
      ])
  }

  /// The posts of a reading that the history does not have yet.
  func pending(of reading: Reading) -> [Post] {
    reading.isStored ? [] : progress.withLock { $0[SearchKey(reading.search)]?.pending ?? [] }
  }
}
