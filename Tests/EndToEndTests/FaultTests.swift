import Foundation
import NetworkSimulator
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct FaultTests {
  static let faults = [
    "~stall", "~trickle=10", "~reset", "~cut", "~garbage", "~html", "~empty", "~status=503",
    "~status=418", "~flood", "~big=34000000", "~bomb", "~redirect-loop", "~redirect=ftp",
    "~redirect=file",
  ]

  @Test(arguments: faults)
  func `Every fault leads to an outcome that names it`(fault: String) async throws {
    try await Networks.with { networks in
      let faults = Dictionary(uniqueKeysWithValues: Networks.sources.map { ($0, fault) })
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--timeout", "1s", "--retries", "0"],
        environment: networks.environment(faults: faults), in: Folder())
      let last = try #require(try ended.objects.last)
      #expect(last["incomplete"] as? Bool == true)
      let outcomes = try #require(last["outcomes"] as? [[String: Any]])
      #expect(outcomes.count == Networks.sources.count)
      for outcome in outcomes {
        #expect(outcome["outcome"] as? String == "failed", "\(outcome)")
        #expect((outcome["message"] as? String)?.isEmpty == false, "\(outcome)")
      }
      #expect([69, 75].contains(ended.status), "\(ended.errors)")
    }
  }

  @Test(arguments: ["hackernews", "misskey"])
  func `A connection that breaks off is opened again, also for a search by POST`(
    source: String
  ) async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--source", source, "--retries", "2"],
        environment: networks.environment(faults: [source: "~reset"]), in: Folder())
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(networks.simulator.counters.requests.count == 3)
    }
  }

  @Test(arguments: Networks.sources)
  func `Broken items are dropped and counted`(source: String) async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#swift", "--format", "ndjson", "--source", source],
        environment: networks.environment(faults: [source: "~broken-item"]), in: Folder())
      #expect(ended.status == 2, "\(ended.errors)")
      let objects = try ended.objects
      let outcomes = try #require(objects.last?["outcomes"] as? [[String: Any]])
      #expect(outcomes.first?["outcome"] as? String == "partial")
      #expect((outcomes.first?["broken_items"] as? Int ?? 0) > 0)
      #expect(objects.count > 1)
    }
  }

  @Test func `A server that fails sometimes is retried`() async throws {
    try await Networks.with { networks in
      let ended = try await Program.searchagg.run(
        ["run", "#a", "#b", "#c", "#d", "--source", "hackernews", "--retries", "10"],
        environment: networks.environment(faults: ["hackernews": "~sometimes=status=503:30"]),
        in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }

  @Test(arguments: [1, 3])
  func `A body that ends early is asked for again, also where no length shows it`(
    cuts: Int
  ) async throws {
    let asked = Atomic(0)
    let server = try RecordingServer(statesLength: false) { _ in
      let isCut = asked.add(1, ordering: .relaxed).oldValue < cuts
      return (200, isCut ? #"{"hits":[{"objectID":"1","ti"# : #"{"hits":[]}"#)
    }
    defer { server.stop() }
    let ended = try await Program.searchagg.run(
      ["run", "a", "--source", "hackernews", "--no-state", "--retries", "2"],
      environment: ["SEARCHAGG_HACKERNEWS_URL": server.address], in: Folder())
    #expect(ended.status == (cuts == 1 ? 0 : 75), "\(ended.errors)")
    #expect(ended.errors.contains("the response was cut off") == (cuts == 3), "\(ended.errors)")
    #expect(server.requests.count == min(cuts + 1, 3))
  }

  @Test func `A libcurl that loses all its transfers ends each of them`() async throws {
    let folder = try Folder()
    let library = try await folder.compile(
      """
      int curl_multi_perform(void *multi, int *running) {
        const int internal_error = 4;
        *running = 0;
        return internal_error;
      }
      """, to: "lose.so")
    let ended = try await Program.searchagg.run(
      ["run", "a", "b", "--source", "hackernews", "--format", "ndjson", "--retries", "0"],
      environment: ["SEARCHAGG_HACKERNEWS_URL": "http://127.0.0.1:1", "LD_PRELOAD": library],
      in: folder)
    #expect(ended.status == 75, "\(ended.errors)")
    let outcomes = try #require(try ended.objects.last?["outcomes"] as? [[String: Any]])
    #expect(outcomes.count == 2)
    for outcome in outcomes {
      #expect((outcome["message"] as? String)?.contains("lost all its transfers") == true)
    }
  }

  @Test func `A refused connection is a temporary failure`() async throws {
    let ended = try await Program.searchagg.run(
      ["run", "a", "--source", "hackernews", "--retries", "0"],
      // Port 1 is reserved, and nothing listens there.
      environment: ["SEARCHAGG_HACKERNEWS_URL": "http://127.0.0.1:1"], in: Folder())
    #expect(ended.status == 75)
    #expect(ended.errors.contains("http://127.0.0.1:1"))
  }

  @Test(
    arguments: [
      (429, Int32(69), ["this server lists no posts under hashtags"], []),
      (500, 0, [], ["this server does not say whose posts it lists"]),
    ] as [(Int, Int32, [String], [String])])
  func `A server's settings are asked for again, or it is said that they are unknown`(
    refusal: Int, status: Int32, reasons: [String], notes: [String]
  ) async throws {
    let asked = Atomic(0)
    let server = try RecordingServer { path in
      guard path.hasPrefix("/api/v2/instance") else { return (200, "[]") }
      let isRefused = refusal != 429 || asked.add(1, ordering: .relaxed).oldValue == 0
      let feeds = #"{"local":"disabled","remote":"disabled"}"#
      return isRefused
        ? (refusal, #"{"error":"no"}"#)
        : (200, #"{"configuration":{"timelines_access":{"hashtag_feeds":\#(feeds)}}}"#)
    }
    defer { server.stop() }
    let ended = try await Program.searchagg.run(
      ["run", "#swift", "--source", "mastodon", "--format", "ndjson", "--no-state"],
      environment: ["SEARCHAGG_MASTODON_URL": server.address], in: Folder())
    #expect(ended.status == status, "\(ended.errors)")
    let outcome = try #require((ended.objects.last?["outcomes"] as? [[String: Any]])?.first)
    #expect(outcome["notes"] as? [String] ?? [] == notes)
    for reason in reasons { #expect(ended.errors.contains(reason), "\(ended.errors)") }
  }
}
