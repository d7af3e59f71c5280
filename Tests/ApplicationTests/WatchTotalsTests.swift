import SearchEngine
import SearchModel
import SearchSources
import Testing

@testable import Application

@Suite struct WatchTotalsTests {
  private func findings(_ endings: Ending...) -> [SearchOutcome] { endings.map(outcome) }

  private func outcome(_ ending: Ending) -> SearchOutcome {
    SearchOutcome(
      tag: "a", source: "lemmy", server: ServerAddress("https://lemmy.world"), ending: ending)
  }

  private var totals: WatchTotals {
    WatchTotals((0..<3).map { _ in .skip(outcome(.cancelled)) })
  }

  @Test func `A failure is told once, and its end once`() {
    var totals = totals
    let down = Ending.failed(Failure(.temporary, status: 502, message: "bad gateway"))
    let other = Ending.failed(Failure(.temporary, status: 503, message: "unavailable"))
    #expect(totals.note(findings(down), of: [1], posts: 0).changed.map(\.ending) == [down])
    #expect(totals.note(findings(down), of: [1], posts: 0).changed.isEmpty)
    #expect(totals.note(findings(other), of: [1], posts: 0).changed.map(\.ending) == [other])
    let news = totals.note(findings(.completed()), of: [1], posts: 0)
    #expect(news.recovered == 1)
    #expect(news.changed.isEmpty)
    #expect(totals.note(findings(.completed()), of: [1], posts: 0).recovered == 0)
  }

  @Test func `The outcomes are the latest of each search`() {
    var totals = totals
    _ = totals.note(findings(.completed(), .completed()), of: [0, 2], posts: 5)
    let down = Ending.failed(Failure(.temporary, message: "down"))
    _ = totals.note(findings(down), of: [2], posts: 2)
    #expect(totals.outcomes.map(\.ending) == [.completed(), .cancelled, down])
    #expect(totals.posts == 7)
  }

  @Test func `Costs count for a day`() {
    var costs = DailyCosts()
    costs.note(["x": 30], at: .zero)
    costs.note(["x": 20, "youtube": 100], at: .seconds(7200))
    #expect(costs.spent(at: .seconds(7200)) == ["x": 50, "youtube": 100])
    #expect(costs.spent(at: .seconds(86_400)) == ["x": 20, "youtube": 100])
    #expect(costs.spent(at: .seconds(200_000)) == [:])
    costs.note(["x": 3], at: .seconds(200_000))
    costs.note(["x": 4], at: .seconds(200_000))
    #expect(costs.spent(at: .seconds(200_000)) == ["x": 7])
  }
}
