import Testing

@testable import Application

@Suite struct RunPhaseTests {
  @Test func `The end prints when no signal came`() {
    var phase = RunPhase.running
    let isMine = phase.end()
    #expect(isMine)
    #expect(phase == .printing)
  }

  @Test func `A signal prints when it comes first, and the end does not`() {
    var phase = RunPhase.running
    let interruption = phase.interrupt(by: 2)
    #expect(interruption == .print)
    let isMine = phase.end()
    #expect(!isMine)
  }

  @Test func `A signal during the printing waits for its end`() {
    var phase = RunPhase.running
    let isMine = phase.end()
    #expect(isMine)
    let interruption = phase.interrupt(by: 15)
    #expect(interruption == .nothing)
    #expect(phase == .printingThenSignal(15))
  }

  @Test func `A signal between two posts leaves the rest to the one who writes them`() {
    var phase = RunPhase.running
    let isAllowed = phase.beginStreaming()
    #expect(isAllowed)
    let interruption = phase.interrupt(by: 2)
    #expect(interruption == .leave)
    let again = phase.interrupt(by: 2)
    #expect(again == .nothing)
    let signal = phase.endStreaming()
    #expect(signal == 2)
    let isMine = phase.end()
    #expect(!isMine)
  }

  @Test func `Posts may be written one after the other until the end`() {
    var phase = RunPhase.running
    for _ in 0..<3 {
      let isAllowed = phase.beginStreaming()
      let signal = phase.endStreaming()
      #expect(isAllowed && signal == nil)
    }
    let isMine = phase.end()
    let isAllowed = phase.beginStreaming()
    #expect(isMine && !isAllowed)
  }
}
