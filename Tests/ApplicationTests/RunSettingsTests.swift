import FoundationEssentials
import Printing
import QueuedHTTP
import SearchEngine
import SearchModel
import Testing

@testable import Application

/// What the program needs, made of what was written.
@Suite struct RunSettingsTests {
  private struct NoProgress: ProgressDisplay {
    let isAnimated = false
    func show(_ parts: @Sendable () -> [String]) async {}
    func end() {}
  }

  private let now = Date(timeIntervalSince1970: 1_000_000)

  private func settings(
    for use: SettingsUse = .run, _ write: (inout WrittenSettings) -> Void
  ) -> RunSettings {
    var written = WrittenSettings(now: now)
    write(&written)
    return RunSettings(written, for: use)
  }

  @Test func `A search is a sample unless a number or a date bounds it`() {
    #expect(settings { _ in }.search.defaultCap == 20)
    #expect(settings { $0.limit = 5 }.search.defaultCap == nil)
    #expect(settings { $0.limits.since = now }.search.defaultCap == nil)
    #expect(settings(for: .ask) { $0.limits.since = now }.search.defaultCap == 20)
    #expect(settings { ($0.limit, $0.perSearch) = (5, 3) }.search.defaultCap == 3)
  }

  @Test func `The cache keeps a response no longer than its server states`() {
    let surroundings = Surroundings(
      workingDirectory: "/", output: DescriptorStream(descriptor: 1),
      errors: DescriptorStream(descriptor: 2),
      now: { now }, steadyClock: .live, progressLine: { NoProgress() }, host: SharedProcess())
    let configuration = settings { _ in }.clientConfiguration(in: surroundings)
    #expect(!configuration.guessesCacheLifetimes)
  }

  @Test func `A backfill reads and prints everything`() {
    let settings = settings { ($0.isBackfill, $0.limit, $0.streams) = (true, 5, true) }
    #expect(settings.output.limit == nil && settings.limits.newest == nil)
    #expect(settings.output.showsAll && !settings.output.streams)
    #expect(settings.mode.work == .windows)
    #expect(settings.dependence == "--backfill")
  }

  @Test func `A watch prints what is new, has no end, and neither counts nor streams`() throws {
    let settings = settings(for: .watch) { written in
      (written.streams, written.isDryRun, written.isOffline) = (true, true, true)
      (written.countBy, written.limits.until) = ([.day], now)
    }
    #expect(settings.history.mode == .new && settings.output.appends)
    #expect(!settings.output.streams && settings.output.countBy == nil)
    #expect(settings.limits.until == nil)
    #expect(settings.mode.asksNetworks)
  }

  @Test func `A question to a source has no dates, no number and no cache`() {
    let settings = settings(for: .ask) { written in
      (written.limits.since, written.limits.until, written.limit) = (now, now, 3)
      written.cacheFolder = "/c"
    }
    #expect(settings.limits.since == nil && settings.limits.until == nil)
    #expect(settings.limits.newest == nil && settings.client.cacheFolder == nil)
  }

  @Test func `Muted authors are left out unless they are included`() {
    let amy = AuthorName("@amy")
    #expect(settings { $0.muted = [amy] }.limits.filter.exclusions.authors == [amy])
    let all = settings { ($0.muted, $0.includesMuted) = ([amy], true) }
    #expect(all.limits.filter.exclusions.authors.isEmpty && all.search.muted.isEmpty)
  }

  @Test func `Posts stream only where none that is still to come can change what was printed`() {
    #expect(settings { $0.streams = true }.output.streams)
    #expect(!settings { ($0.streams, $0.dedupe) = (true, .link) }.output.streams)
    #expect(!settings { ($0.streams, $0.order) = (true, .oldest) }.output.streams)
    #expect(!settings { ($0.streams, $0.format) = (true, .html) }.output.streams)
    #expect(!settings { ($0.streams, $0.countBy) = (true, [.day]) }.output.streams)
  }

  @Test func `The history is used as far as it is kept`() {
    #expect(settings { _ in }.history.mode == .keep)
    #expect(settings { $0.keepsNoPosts = true }.history.mode == nil)
    #expect(settings { ($0.keepsNoPosts, $0.isNew) = (true, true) }.history.mode == .new)
    #expect(settings { ($0.isNew, $0.isNewAll) = (true, true) }.history.mode == .newAll)
    #expect(settings { $0.keepsNothing = true }.history.mode == nil)
  }

  @Test func `Nobody is asked by a dry run, and no network by an offline one`() {
    #expect(settings { _ in }.mode.asksNetworks)
    #expect(!settings { $0.isDryRun = true }.mode.asksNetworks)
    #expect(!settings { $0.isOffline = true }.mode.asksNetworks)
    #expect(settings { $0.retriesFailed = true }.mode.work == .failed)
  }
}
