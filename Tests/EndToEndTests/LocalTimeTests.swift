import Foundation
import NetworkSimulator
import TestSupport
import Testing

@Suite(.serialized) struct LocalTimeTests {
  @Test(arguments: [
    ("America/New_York", "2026-11-20T05:00:00"), ("Asia/Kolkata", "2026-11-19T18:30:00"),
    ("UTC", "2026-11-20T00:00:00"),
  ])
  func `A day begins at local midnight`(zone: String, midnight: String) async throws {
    try await Networks.with { networks in
      var environment = networks.environment
      environment["TZ"] = zone
      let moment = try Date("\(midnight)Z", strategy: .iso8601)
      let ended = try await Program.searchagg.run(
        ["run", "a", "--source", "hackernews", "--since", "2026-11-20", "--format", "ndjson"],
        environment: environment, in: Folder())
      #expect(ended.status == 0, "\(ended.errors)")
      let queries = networks.simulator.counters.requests.map(\.query)
      let seconds = Int(moment.timeIntervalSince1970)
      #expect(queries.allSatisfy { $0.contains("created_at_i%3E%3D\(seconds)") }, "\(queries)")
      #expect(!queries.isEmpty)
      for post in try ended.objects.dropLast() {
        let date = try #require(post["created_at"] as? String)
        #expect(date >= midnight)
      }
    }
  }
}
