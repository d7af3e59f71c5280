import Application
import Foundation
import SearchAggCLI
import Synchronization
import TestSupport
import Testing

/// A watch of three servers of one network, of which one never answers, in virtual time.
@Suite struct WatchLaneTests {
  private static let tags = 40
  private static let every = Duration.seconds(120)

  private func watch(
    _ minutes: Int, servers: String
  ) async throws -> (networks: PacedNetworks, printed: [TimedOutput.Line]) {
    let folder = try Folder()
    let names = (0..<Self.tags).map { "\"#tag\($0)\"" }.joined(separator: ",")
    try folder.write(#"{"tags": [\#(names)]}"#, to: "tags.json")
    let time = VirtualTime()
    let networks = PacedNetworks(time) { 100 + $0 }
    let printed = TimedOutput(time)
    let errors = BufferStream()
    let context = Context(
      environment: [
        "HOME": folder["home"], "SEARCHAGG_NO_HISTORY": "true", "SEARCHAGG_HACKERNEWS_URL": servers,
      ],
      workingDirectory: folder.path, input: BufferStream(), output: printed, errors: errors,
      now: { PacedNetworks.begin.addingTimeInterval(time.now / .seconds(1)) },
      steadyClock: time.clock, transport: networks)
    let status = await withTaskExecutorPreference(time) {
      await CommandLineRunner(context: context).run([
        "watch", "--source", "hackernews", "--every", "2m", "--for", "\(minutes)m", "--template",
        "{{id}} {{created_at}}\n",
      ])
    }
    #expect(status == (servers.contains("stalled") ? .partial : .success), "\(errors.text)")
    return (networks, printed.lines.withLock { $0 })
  }

  @Test func `A server that never answers delays no other one, and hardly burdens us`() async throws
  {
    let (networks, printed) = try await watch(
      31, servers: "https://one.example,https://stalled.example,https://two.example")
    let requests = networks.requests.withLock { $0 }
    for host in ["one.example", "two.example"] {
      for tag in 0..<Self.tags {
        let moments = (requests[host] ?? []).filter { $0.tag == tag }.map(\.moment)
        #expect(moments == (0..<16).map { Self.every * $0 }, "\(host) \(tag): \(moments)")
      }
    }
    // Those that were under way when the first one failed, then one every two minutes.
    #expect((requests["stalled.example"] ?? []).count <= 8 + 15)
    // What was written is printed by the next round, at once and once.
    #expect(Set(printed.map(\.text)).count == printed.count)
    for line in printed {
      let rounds = line.moment / Self.every
      #expect(rounds == rounds.rounded())
    }
    let last = Set(printed.map { $0.text.prefix { $0 != " " } })
    for tag in 0..<Self.tags {
      for post in networks.posts(of: tag, until: .seconds(1800)).prefix(15) {
        #expect(last.contains("\(tag)-\(post)"), "\(tag)-\(post)")
      }
    }
  }

  @Test func `A post that two lanes find at once is printed once`() async throws {
    let (networks, printed) = try await watch(
      11, servers: "https://one.example,https://two.example")
    #expect(networks.requests.withLock { $0.count } == 2)
    #expect(printed.count > 100)
    #expect(Set(printed.map(\.text)).count == printed.count)
  }

  @Test
  func `The posts of a round follow one another from the oldest, those of one second in order`()
    async throws
  {
    let (_, printed) = try await watch(11, servers: "https://one.example")
    for (one, other) in zip(printed, printed.dropFirst()) where one.moment == other.moment {
      let (left, right) = (one.text.split(separator: " "), other.text.split(separator: " "))
      #expect(left[1] <= right[1])
    }
  }
}
