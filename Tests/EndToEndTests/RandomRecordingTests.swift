import Foundation
import NetworkSimulator
import TestSupport
import Testing

/// Random runs on networks with random faults: a replay prints what the run printed, on both streams, and
/// ends with its status.
///
/// `RANDOM_RECORDINGS` sets their number; `make soak` draws 200.
@Suite(.serialized) struct RandomRecordingTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["RANDOM_RECORDINGS"].flatMap { UInt64($0) } ?? 6
  private static let first = environment["FIRST_RECORDING"].flatMap { UInt64($0) } ?? 0

  /// A run on networks of which some do not work well.
  private struct RandomRun {
    private static let queries = [
      "swift", "#linux", "libcurl -foo", "#plenty180", "nothing1", "\"two words\"", "rust OR zig",
    ]
    private static let faults = [
      "status=500", "status=503", "status=403", "retry-after=1", "retry-after=2",
      "retry-after=3600",
      "reset", "empty", "cut", "garbage", "html", "broken-item", "hostile", "latency=60",
      "redirect-loop",
    ]

    let arguments: [String]
    private(set) var environment: [String: String]

    init(drawing random: inout SeededRandom, on networks: Networks) {
      environment = networks.simulator.environment
      environment["SEARCHAGG_TIMEOUT"] = "10m"
      environment["TZ"] = ["UTC", "Asia/Kathmandu", "America/St_Johns"].randomElement(
        using: &random)
      let all = Simulator.sources.shuffled(using: &random)
      let sources = all.prefix(Int.random(in: 2...9, using: &random))
      environment["SEARCHAGG_SOURCE"] = sources.joined(separator: ",")
      let isEnded = Int.random(in: 0..<6, using: &random) == 0
      for source in sources where source != "feed" {
        let fault = Self.fault(drawing: &random, canStall: isEnded)
        environment[Networks.variable(of: source)] =
          networks.simulator.address(of: source, fault: fault)
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: environment["BLUESKY_APP_PASSWORD"] = "not-the-password"
      case 1: environment["BLUESKY_IDENTIFIER"] = nil
      default: break
      }
      let queries = Self.queries.shuffled(using: &random)
      arguments =
        queries.prefix(Int.random(in: 1...5, using: &random))
        + Self.options(drawing: &random) + (isEnded ? ["--max-time", "2s"] : [])
    }

    private static func fault(drawing random: inout SeededRandom, canStall: Bool) -> String? {
      let kinds = faults + Simulator.pagingFaults + (canStall ? ["stall"] : [])
      let kind = kinds.randomElement(using: &random) ?? "reset"
      let number = Int.random(in: 0...3, using: &random)
      return switch Int.random(in: 0..<6, using: &random) {
      case 0: kind
      case 1: "sometimes=\(kind):\(Int.random(in: 10...90, using: &random))"
      case 2: "first=\(kind):\(number)"
      case 3: "after=\(kind):\(number)/sometimes=latency=40:50"
      case 4: "sometimes=\(kind):30/expired-token"
      default: nil
      }
    }

    private static func options(drawing random: inout SeededRandom) -> [String] {
      func draw(_ choices: [[String]]) -> [String] { choices.randomElement(using: &random) ?? [] }
      return draw([
        [], ["--per-search", "7"], ["--per-search", "150"], ["-n", "12"], ["-n", "200"],
      ])
        + draw([[], ["--since", "5d"], ["--since", "90h"], ["--since", "yesterday"]])
        + draw([[], [], ["--until", "20m"]])
        + draw([[], [], ["--max-cost", "60"], ["--max-cost", "x=120"]])
        + draw([[], ["--retries", "0"], ["--retries", "1"]])
        + draw([[], ["--max-wait", "1s"], ["--max-wait", "5s"]])
        + draw([[], [], ["--jobs", "3"], ["--per-host", "2"]])
        + draw([[], [], ["--lang", "en"], ["--min-likes", "2"], ["--raw"]])
        + draw([["--format", "ndjson"], ["--format", "text"], ["--format", "json"], ["-v"]])
    }
  }

  @Test func `A random run is replayed with the same output, messages and status`() async throws {
    for seed in Self.first..<Self.first + Self.count {
      try await check(seed)
    }
  }

  private func check(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    let (recorded, arguments) = try await Networks.with(seed: seed) { networks in
      let run = RandomRun(drawing: &random, on: networks)
      let ended = try await Program.searchagg.run(
        ["run"] + run.arguments + ["--record", "recording"], environment: run.environment,
        in: folder)
      return (ended, run.arguments)
    }
    let format = arguments.firstIndex(of: "--format").map { ["--format", arguments[$0 + 1]] } ?? []
    let isVerbose = arguments.contains("-v") ? ["-v"] : []
    let replayed = try await Program.searchagg.run(
      ["run", "--replay", "recording"] + format + isVerbose, in: folder)
    let isSame =
      replayed.status == recorded.status && replayed.output == recorded.output
      && replayed.errors == recorded.errors
    #expect(
      isSame,
      """
      recording \(seed): \(arguments.joined(separator: " "))
      status \(recorded.status ?? -1), then \(replayed.status ?? -1)
      \(Self.difference(of: recorded.output, and: replayed.output))
      \(Self.difference(of: recorded.errors, and: replayed.errors))
      """)
  }

  /// The lines that only one of two texts has.
  private static func difference(of one: String, and other: String) -> String {
    let lines = one.split(separator: "\n")
    let difference = other.split(separator: "\n").difference(from: lines)
    return difference.map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }.joined(separator: "\n")
  }
}
