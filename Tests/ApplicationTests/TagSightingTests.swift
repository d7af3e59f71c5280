import FoundationEssentials
import PostHistory
import SearchModel
import SearchSources
import TestSupport
import Testing

@testable import Application
@testable import SearchEngine

/// What a run records about each tag.
@Suite struct TagSightingTests {
  private let now = Date(timeIntervalSince1970: 1_795_176_000)

  /// A search that an earlier run answered with posts.
  private func search(
    _ query: String, on source: String, isRaw: Bool = false, hoursAgo: [Double]
  ) throws -> PlannedSearch {
    let server = try #require(ServerAddress("http://127.0.0.1:9"))
    let query = try #require(Query(query))
    let search = Search(
      isRaw ? query.raw : query, at: Endpoint(try #require(Sources.named(source)), at: server))
    return .stored(
      StoredSearch(
        search,
        posts: hoursAgo.map { hours in
          Post(
            id: "\(hours)", source: search.source.name, server: server, uri: "\(hours)", text: "",
            createdAt: now.addingTimeInterval(-hours * 3600))
        }, outcome: search.outcome(.completed())))
  }

  private func sightings(_ plan: [PlannedSearch]) -> [TagSighting] {
    Array(TagSighting.all(in: RunState(plan: plan, limits: RunLimits(), now: now).readings))
  }

  private func sighting(
    _ tag: String, isRaw: Bool = false, hoursAgo: Double?, posts: Int
  ) -> TagSighting {
    TagSighting(
      tag: TagKey(tag: tag, isRaw: isRaw),
      newest: hoursAgo.map { now.addingTimeInterval(-$0 * 3600) }, posts: posts)
  }

  @Test func `The searches of a tag count together, wherever they are in the plan`() throws {
    let swift = [
      try search("#swift", on: "hackernews", hoursAgo: [3, 4]),
      try search("#swift", on: "lobsters", hoursAgo: [2]),
    ]
    let curl = [
      try search("curl", on: "hackernews", hoursAgo: []),
      try search("curl", on: "lobsters", hoursAgo: [5]),
    ]
    let raw = try search("#swift", on: "hackernews", isRaw: true, hoursAgo: [])
    let expected = [
      sighting("#swift", hoursAgo: 2, posts: 3), sighting("curl", hoursAgo: 5, posts: 1),
      sighting("#swift", isRaw: true, hoursAgo: nil, posts: 0),
    ]
    #expect(sightings(swift + curl + [raw]) == expected)
    #expect(sightings([swift[0], curl[0], raw, swift[1], curl[1]]) == expected)
    #expect(sightings([swift[0], curl[1], curl[0], swift[1], raw]) == expected)
    #expect(sightings([]).isEmpty)
  }
}
