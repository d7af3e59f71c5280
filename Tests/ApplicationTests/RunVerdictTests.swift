import SearchModel
import Testing

@testable import Application

@Suite struct RunVerdictTests {
  private static let completed = Ending.completed()
  private static let now = Ending.failed(Failure(.temporary, status: 500, message: "busy"))
  private static let good = Ending.failed(Failure(.permanent, status: 400, message: "no"))
  private static let refused = Ending.failed(Failure(.credential, status: 401, message: "who"))
  private static let limited = Ending.rateLimited(
    until: nil, failure: Failure(.temporary, status: 429, message: "slowly"))
  private static let partial = Ending.partial(brokenItems: 1, reason: nil)
  private static let noToken = Ending.skipped(reason: "needs a token", needsCredential: true)
  private static let cannot = Ending.skipped(reason: "no phrases")

  private func status(
    _ endings: [Ending], posts: Int = 1, failOn: FailOn = .any, failsOnEmpty: Bool = false
  ) -> CommandStatus {
    let outcomes = endings.map { SearchOutcome(tag: "a", source: "x", server: nil, ending: $0) }
    return RunVerdict(
      outcomes: outcomes, postCount: posts, failOn: failOn, failsOnEmpty: failsOnEmpty
    ).status
  }

  @Test(arguments: [
    ([completed, completed], CommandStatus.success), ([completed, cannot, noToken], .success),
    ([completed, now], .partial), ([completed, limited], .partial), ([completed, good], .partial),
    ([completed, partial], .partial), ([partial], .partial), ([now, good], .tryLater),
    ([limited, limited], .tryLater), ([good, good], .unavailable), ([good, refused], .unavailable),
    ([refused, refused], .noCredential), ([refused, now], .tryLater), ([noToken], .noCredential),
    ([cannot], .unavailable), ([], .success), ([.cancelled], .tryLater),
  ])
  func `The outcomes alone decide the status`(endings: [Ending], expected: CommandStatus) {
    #expect(status(endings) == expected)
  }

  @Test func `A tag that no source could be asked for is a failure of that tag`() {
    func status(_ endings: [(String, Ending)]) -> CommandStatus {
      let outcomes = endings.map {
        SearchOutcome(tag: $0.0, source: "x", server: nil, ending: $0.1)
      }
      return RunVerdict(outcomes: outcomes, postCount: 1, failOn: .any, failsOnEmpty: false).status
    }
    #expect(status([("a", Self.completed), ("a", Self.cannot), ("b", Self.cannot)]) == .partial)
    #expect(status([("a", Self.cannot), ("b", Self.completed), ("a", Self.completed)]) == .success)
    #expect(
      status([("a", Self.noToken), ("a", Self.cannot), ("b", Self.refused)]) == .noCredential)
    #expect(status([("a", Self.noToken), ("b", Self.cannot)]) == .unavailable)
    #expect(status([("a", Self.noToken), ("b", Self.now)]) == .tryLater)
  }

  @Test func `With --fail-on all a part is enough, and nothing is not`() {
    #expect(status([Self.completed, Self.now], failOn: .all) == .success)
    #expect(status([Self.now, Self.now], failOn: .all) == .tryLater)
  }

  @Test func `With --fail-on none every end is good`() {
    #expect(status([Self.now, Self.refused], failOn: .none) == .success)
  }

  @Test(arguments: [(FailOn.any, CommandStatus.partial), (.all, .success), (.none, .success)])
  func `A silent tag counts where any failure does`(failOn: FailOn, expected: CommandStatus) {
    let outcome = SearchOutcome(tag: "a", source: "x", server: nil, ending: Self.completed)
    for (failsOnEmpty, status) in [(false, expected), (true, .nothing)] {
      let verdict = RunVerdict(
        outcomes: [outcome], postCount: 0, failOn: failOn, failsOnEmpty: failsOnEmpty,
        hasSilence: true)
      #expect(verdict.status == status)
    }
  }

  @Test func `Nothing found counts only when asked for, and after a failure`() {
    #expect(status([Self.completed], posts: 0) == .success)
    #expect(status([Self.completed], posts: 0, failsOnEmpty: true) == .nothing)
    #expect(status([Self.completed, Self.now], posts: 0, failsOnEmpty: true) == .partial)
  }
}
