import Application
import Foundation
import QueuedHTTP
import SearchAggCLI
import SearchEngine
import Synchronization
import TestSupport
import Testing

/// Hours of watches that share one state, as tasks of this process on a clock that runs as fast as the
/// computer: the store's leases and turns are on it, too.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed"))
struct SharedWatchDayTests {
  private static let tags = 24
  private static let minutes = 150
  private static let every = Duration.seconds(600)
  private static let lease = Duration.seconds(60)

  /// The stretches of time in which each worker stands still, longer than its lease lasts: often just when
  /// it asks, and one for most of the time.
  private static let freezes: [[Range<Duration>]] = [
    (1..<15).map { .seconds($0 * 600 + 1)..<(.seconds($0 * 600 + 101)) },
    [.seconds(2411)..<(.seconds(7000))],
    (1..<15).map { .seconds($0 * 450 + 203)..<(.seconds($0 * 450 + 303)) },
    [],
  ]

  /// A worker's view of the world: while it is frozen it does not wake, and no answer reaches it.
  private final class Worker: Transport {
    let output = BufferStream()
    let errors = BufferStream()
    private let number: Int
    private let time: VirtualTime
    private let networks: any Transport
    private let asked = Mutex(0)

    init(_ number: Int, _ time: VirtualTime, _ networks: any Transport) {
      (self.number, self.time, self.networks) = (number, time, networks)
    }

    /// The steady clocks of machines began at different moments, and now one wakes first, now another.
    var clock: SteadyClock {
      SteadyClock(
        now: { self.time.now + .seconds(1000 * self.number) },
        sleep: { duration in
          let minute = Int(self.time.now / .seconds(60))
          await self.time.sleep(duration + .milliseconds((17 * self.number + 13 * minute) % 40))
          await self.thaw()
        })
    }

    private func thaw() async {
      if let freeze = freezes[number].first(where: { $0.contains(time.now) }) {
        await time.sleep(freeze.upperBound - time.now)
      }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let response = try await networks.send(request)
      // Now and then it stands still as soon as it has asked, past the end of its lease.
      if number < 3,
        asked.withLock({
          $0 += 1; return $0 % 50 == 0
        })
      {
        await time.sleep(.seconds(100))
      }
      // Answers take some time, within which the worker may be frozen.
      await time.sleep(.seconds(2))
      await thaw()
      return response
    }

    func cancel(group: RequestGroup) {}
    func cancelWaiting(group: RequestGroup) {}
    func beginCancelAll() {}
  }

  /// The networks, of which Lobsters refuses one request and wants to be left alone for half an hour.
  private final class Refusing: Transport {
    static let moment = Duration.seconds(5000)
    static let wait = Duration.seconds(1800)
    let networks: PacedNetworks
    let refused = Mutex<Duration?>(nil)
    private let time: VirtualTime

    init(_ networks: PacedNetworks, _ time: VirtualTime) {
      (self.networks, self.time) = (networks, time)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let response = try await networks.send(request)
      guard request.url.contains("lobste.rs"), time.now >= Self.moment,
        refused.withLock({ if $0 == nil { $0 = time.now; return true } else { return false } })
      else { return response }
      return HTTPResponse(
        status: 429, headers: ["Retry-After": "\(Self.wait / .seconds(1))"], body: HTTPBody())
    }

    func cancel(group: RequestGroup) {}
    func cancelWaiting(group: RequestGroup) {}
    func beginCancelAll() {}
  }

  private func context(
    _ worker: Worker, _ time: VirtualTime, _ address: String, in folder: Folder
  ) -> Context {
    Context(
      environment: [
        "HOME": folder["home"], "SEARCHAGG_STATE": address,
        "SEARCHAGG_HACKERNEWS_URL": "https://one.example,https://two.example",
      ],
      workingDirectory: folder.path, input: BufferStream(), output: worker.output,
      errors: worker.errors,
      now: { PacedNetworks.begin.addingTimeInterval(time.now / .seconds(1)) },
      steadyClock: worker.clock, transport: worker)
  }

  @Test func `Workers that freeze lose nothing, print nothing twice and keep all limits`()
    async throws
  {
    let folder = try Folder()
    let names = (0..<Self.tags).map { "\"#tag\($0)\"" }.joined(separator: ",")
    try folder.write(#"{"tags": [\#(names)]}"#, to: "tags.json")
    let time = VirtualTime()
    let networks = PacedNetworks(time) { 600 + $0 * 86 }
    let transport = Refusing(networks, time)
    let workers = Self.freezes.indices.map { Worker($0, time, transport) }
    let address = try PostgresServer.shared().database()
    let contexts = workers.map { context($0, time, address, in: folder) }
    #expect(
      await CommandLineRunner(context: contexts[0]).run(["state", "init", "--state", address])
        == .success)
    await withTaskExecutorPreference(time) {
      await withDiscardingTaskGroup { group in
        for context in contexts {
          group.addTask {
            _ = await CommandLineRunner(context: context).run([
              "watch", "--source", "hackernews,lobsters", "--every", "10m", "--for",
              "\(Self.minutes)m", "--lease", "60s", "--template", "{{source}} {{id}}\n",
            ])
          }
        }
      }
    }
    let errors = workers.map(\.errors.text)
    let outputs = workers.map { $0.output.text.split(separator: "\n").map(String.init) }
    #expect(outputs.allSatisfy { !$0.isEmpty }, "\(outputs.map(\.count))")
    #expect(errors.joined().contains("another worker has taken over"))
    let printed = outputs.flatMap(\.self)
    #expect(Set(printed).count == printed.count)
    let missing = missing(in: Set(printed), networks)
    #expect(missing.isEmpty, "\(missing.count): \(missing.prefix(5)) \(errors)")

    let requests = networks.requests.withLock { $0 }
    let stories = try #require(requests["lobste.rs"]).map(\.moment)
    // Four in any 24 seconds.
    for (first, fifth) in zip(stories, stories.dropFirst(4)) {
      #expect(fifth - first >= .seconds(24), "\(first)")
    }
    let refused = try #require(transport.refused.withLock { $0 })
    #expect(!stories.contains { $0 > refused && $0 < refused + Refusing.wait })
    #expect(stories.contains { $0 > refused + Refusing.wait })
    // Somebody takes over from a worker that is frozen when its lease has ended.
    let latest = Self.every + Self.lease + .seconds(60)
    for host in ["one.example", "two.example"] {
      for tag in 0..<Self.tags {
        let moments = try #require(requests[host]).filter { $0.tag == tag }.map(\.moment)
        #expect(moments.count >= Self.minutes / 12, "\(host) \(tag)")
        for (one, next) in zip(moments, moments.dropFirst()) {
          #expect(next - one <= latest, "\(host) \(tag): \(one), \(next)")
        }
      }
    }
  }

  /// The posts that should have been printed: all from the first one on, until an hour before the end.
  private func missing(in printed: Set<String>, _ networks: PacedNetworks) -> [String] {
    let end = Duration.seconds(60 * (Self.minutes - 60))
    return ["hackernews", "lobsters"].flatMap { source in
      (0..<Self.tags).flatMap { tag in
        let numbers = Set(
          printed.filter { $0.hasPrefix("\(source) \(tag)-") }
            .compactMap { Int($0.split(separator: "-").last ?? "") })
        let last = networks.posts(of: tag, until: end).first ?? 0
        return ((numbers.min() ?? 0)...last).filter { !numbers.contains($0) }
          .map { "\(source) \(tag)-\($0)" }
      }
    }
  }
}
