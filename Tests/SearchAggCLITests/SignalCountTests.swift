import Testing

@testable import Application
@testable import SearchAggCLI

@Suite struct SignalCountTests {
  private func decisions(_ milliseconds: [UInt64]) -> [SignalCount.Decision] {
    var count = SignalCount()
    return milliseconds.map { count.receive(at: 7_000_000_000 + $0 * 1_000_000) }
  }

  @Test func `A signal that comes with the first one counts for nothing`() {
    #expect(decisions([0, 0, 1, 299]) == [.interrupt, .ignore, .ignore, .ignore])
  }

  @Test func `A second signal counts 300 ms after the first, however many came between`() {
    #expect(decisions([0, 300]) == [.interrupt, .die])
    #expect(decisions([0, 100, 200, 301]) == [.interrupt, .ignore, .ignore, .die])
  }
}
