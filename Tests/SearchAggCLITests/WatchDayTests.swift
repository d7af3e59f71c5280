import Application
import Foundation
import SearchAggCLI
import Synchronization
import TestSupport
import Testing

/// Hours of `watch` with a thousand tags, on a clock that runs as fast as the computer: 4, or as many as
/// `WATCHED_HOURS` says. `make soak` watches a whole day.
@Suite struct WatchDayTests {
  private static let tags = 1000
  private static let hours =
    ProcessInfo.processInfo.environment["WATCHED_HOURS"].flatMap { Int($0) } ?? 4
  private static let seconds = hours * 3600
  /// Counts what is printed instead of keeping it.
  private final class Printed: OutputStreaming {
    let seen = Mutex<[String: Int]>([:])

    func write(_ bytes: [UInt8]) throws(OutputFailure) {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      seen.withLock { seen in for line in lines { seen[String(line), default: 0] += 1 } }
    }
  }

  /// The resident memory of this process, in MB.
  private func residentMegabytes() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      .split(separator: " ")
    return (Int(words[1]) ?? 0) * 4096 / 1_000_000
  }

  @Test func `Watching a thousand tags keeps all limits and prints every post once`()
    async throws
  {
    let folder = try Folder()
    let names = (0..<Self.tags).map { "\"#tag\($0)\"" }.joined(separator: ",")
    try folder.write(#"{"tags": [\#(names)]}"#, to: "tags.json")
    let time = VirtualTime()
    // From ten minutes to a day.
    let networks = PacedNetworks(time) { 600 + $0 * 86 }
    let printed = Printed()
    let errors = BufferStream()
    let memory = Mutex<[Int]>([])
    let clock = SteadyClock(
      now: { time.now },
      sleep: { duration in
        await time.sleep(duration)
        let hour = Int(time.now / .seconds(3600))
        if memory.withLock({ $0.count }) <= hour, let now = try? self.residentMegabytes() {
          memory.withLock { $0.append(now) }
        }
      })
    let context = Context(
      environment: ["HOME": folder["home"], "SEARCHAGG_NO_HISTORY": "true"],
      workingDirectory: folder.path, input: BufferStream(), output: printed, errors: errors,
      now: {
        // Somebody sets the clock of the machine, and sets it back.
        let now = time.now / .seconds(1)
        let share = now / Double(Self.seconds)
        let jump = (0.35...0.45).contains(share) ? 5000.0 : 0
        return PacedNetworks.begin.addingTimeInterval(now + jump)
      }, steadyClock: clock, transport: networks)
    let status = await withTaskExecutorPreference(time) {
      await CommandLineRunner(context: context).run([
        "watch", "--source", "hackernews,lobsters", "--every", "1h", "--for", "\(Self.hours)h",
        "--template", "{{source}} {{id}}\n",
      ])
    }
    #expect(status == .success, "\(errors.text)")

    let seen = printed.seen.withLock { $0 }
    let repeated = seen.filter { $0.value > 1 }
    #expect(repeated.isEmpty, "\(repeated.prefix(5))")
    // A search whose turn comes late has its first round, which is a sample of the newest 20, later.
    var missing: [String] = []
    for tag in 0..<Self.tags {
      for source in ["hackernews", "lobsters"] {
        let due = networks.posts(of: tag, until: .seconds(Self.seconds - 2 * 3600 - 900))
        missing += due.prefix(source == "lobsters" ? 0 : 15).map { "\(source) \(tag)-\($0)" }
          .filter { seen[$0] == nil }
        let numbers = seen.keys.filter { $0.hasPrefix("\(source) \(tag)-") }
          .compactMap { Int($0.split(separator: "-").last ?? "") }.sorted()
        // None between two that were printed is missing.
        if let first = numbers.first, let last = numbers.last {
          missing += (first...last).filter { !numbers.contains($0) }
            .map { "\(source) \(tag)-\($0) in between" }
        }
      }
    }
    #expect(missing.isEmpty, "\(missing.count): \(missing.prefix(5))")

    let requests = networks.requests.withLock { $0 }
    for (host, limit, span) in [("hn.algolia.com", 10_000, 3600), ("lobste.rs", 4, 24)] {
      let moments = (requests[host] ?? []).map(\.moment)
      #expect(moments.count > Self.hours * 200)
      var first = 0
      for (index, moment) in moments.enumerated() {
        while moments[first] <= moment - .seconds(span) { first += 1 }
        if index - first >= limit { Issue.record("\(host): more than \(limit) at \(moment)") }
      }
    }
    // Other tests use memory in the same process, except where this one runs alone.
    guard Self.hours >= 24 else { return }
    let byHour = memory.withLock { $0 }
    let early = try #require(byHour.dropFirst(8).first)
    let late = try #require(byHour.last)
    #expect(late < early + 30, "\(byHour)")
  }
}
