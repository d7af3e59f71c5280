import Testing

@testable import SearchAggCLI

@Suite struct RunPhaseTests {
  @Test func `The end prints when no signal came`() {
    var phase = RunPhase.running
    let isMine = phase.end()
    #expect(isMine)
    #expect(phase == .printing)
  }

  @Test func `A signal prints when it comes first, and the end does not`() {
    var phase = RunPhase.running
    let isTheirs = phase.interrupt(by: 2)
    #expect(isTheirs)
    let isMine = phase.end()
    #expect(!isMine)
  }

  @Test func `A signal during the printing waits for its end`() {
    var phase = RunPhase.running
    let isMine = phase.end()
    #expect(isMine)
    let isTheirs = phase.interrupt(by: 15)
    #expect(!isTheirs)
    #expect(phase == .printingThenSignal(15))
  }
}
