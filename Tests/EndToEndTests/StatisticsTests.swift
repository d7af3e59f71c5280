import Foundation
import TestSupport
import Testing

/// The numbers of `--stats` and `--stats-file`.
@Suite(.serialized) struct StatisticsTests {
  private func numbers(
    by command: String = "run", of arguments: [String], faults: [String: String] = [:]
  ) async throws -> (networks: [[String: Any]], searches: [[String: Any]], errors: String) {
    try await Networks.with { networks in
      let folder = try Folder()
      let ended = try await Program.searchagg.run(
        [command, "--stats", "--stats-file", "stats.json"] + arguments,
        environment: networks.environment(faults: faults), in: folder)
      let data = Data(try folder.text(of: "stats.json").utf8)
      let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(file["took_ms"] is Int)
      return (
        try #require(file["networks"] as? [[String: Any]]),
        try #require(file["searches"] as? [[String: Any]]), ended.errors
      )
    }
  }

  private func sum(_ key: String, of figures: [[String: Any]]) -> Int {
    figures.reduce(0) { $0 + ($1[key] as? Int ?? 0) }
  }

  @Test func `The numbers of the searches add up to those of their networks`() async throws {
    let (networks, searches, errors) = try await numbers(
      of: ["#swift", "linux", "--source", "hackernews,mastodon", "-n", "60"])
    #expect(networks.count == 2 && searches.count == 4)
    for key in ["requests", "attempts", "bytes_on_wire", "bytes_decoded"] {
      #expect(sum(key, of: searches) == sum(key, of: networks), "\(key)")
      #expect(sum(key, of: searches) > 0, "\(key)")
    }
    for search in searches { #expect(search["requests"] as? Int ?? 0 > 0, "\(search)") }
    #expect(sum("retries", of: searches) == 0)
    let tables = errors.components(separatedBy: "\n\n")
    #expect(tables.first?.hasPrefix("NETWORK     REQUESTS  KB  ") == true, "\(errors)")
    #expect(tables.last?.contains("TAG\n") == true, "\(errors)")
  }

  @Test func `Each search of a watch has the numbers of all of its rounds`() async throws {
    // A slow machine needs longer for the first round of each.
    for length in ["2s", "1m"] {
      let (networks, searches, errors) = try await numbers(
        by: "watch",
        of: [
          "#swift", "linux", "--source", "hackernews,mastodon", "--every", "200ms", "--for", length,
        ])
      let requests = searches.map { $0["requests"] as? Int ?? 0 }
      if length == "2s", requests.contains(0) { continue }
      #expect(networks.count == 2 && requests.count == 4 && !requests.contains(0), "\(errors)")
      for source in ["hackernews", "mastodon"] {
        let own = { (figures: [[String: Any]]) in
          figures.filter { $0["source"] as? String == source }
        }
        #expect(sum("requests", of: own(searches)) == sum("requests", of: own(networks)))
      }
      break
    }
  }

  @Test func `Retries and waits count for the search that made them`() async throws {
    let (networks, searches, _) = try await numbers(
      of: ["#swift", "--source", "hackernews,mastodon", "--retries", "2"],
      faults: ["hackernews": "~status=503"])
    let failed = try #require(searches.first { $0["source"] as? String == "hackernews" })
    #expect(failed["retries"] as? Int == 2 && failed["attempts"] as? Int == 3)
    // Each wait is drawn at random, and one alone may be less than half a millisecond.
    #expect(failed["failed"] as? Int == 1 && failed["waited_ms"] as? Int ?? 0 > 0)
    let other = try #require(searches.first { $0["source"] as? String == "mastodon" })
    #expect(other["retries"] as? Int == 0 && other["failed"] as? Int == 0)
    #expect(sum("retries", of: networks) == 2)
  }

  @Test func `A response that two searches read counts for both, and once for its network`()
    async throws
  {
    let (networks, searches, _) = try await numbers(
      of: ["#swift", "swift", "--source", "hackernews"])
    #expect(searches.count == 2)
    #expect(sum("requests", of: networks) > 0)
    #expect(sum("requests", of: searches) == 2 * sum("requests", of: networks))
  }
}
