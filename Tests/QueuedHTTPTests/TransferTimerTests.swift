import Testing

@testable import QueuedHTTP

@Suite struct TransferTimerTests {
  private let start = Moment(nanoseconds: 1_000_000_000)

  private func timer() -> TransferTimer {
    var timer = TransferTimer()
    timer.beginAttempt(at: start, elapsed: .seconds(2))
    timer.beginHop(at: start)
    return timer
  }

  private func reading(_ bytes: Int, connected: Int = 1) -> TransferTimer.Reading {
    TransferTimer.Reading(bytes: bytes, connected: connected, isSending: false)
  }

  @Test func `The time in earlier lanes counts for the attempt`() {
    let timer = timer()
    #expect(timer.elapsed(at: start + .seconds(1)) == .seconds(3))
    #expect(timer.earlierHops == .seconds(2))
    #expect(timer.end(of: .seconds(5)) == start + .seconds(3))
  }

  @Test func `A transfer that is silent for its idle timeout is given up at that moment`() {
    var timer = timer()
    timer.noteActivity(at: start + .seconds(1))
    let end = start + .seconds(4)
    #expect(timer.nextCheck(.seconds(3), reading(0), at: start + .seconds(2)) == end)
    #expect(timer.nextCheck(.seconds(3), reading(0), at: end) == nil)
  }

  @Test func `Bytes that reach no callback are activity`() {
    var timer = timer()
    let late = start + .seconds(3)
    #expect(timer.nextCheck(.seconds(3), reading(7), at: late) == late + .seconds(3))
    #expect(timer.nextCheck(.seconds(3), reading(7), at: late + .seconds(3)) == nil)
  }

  @Test func `While a transfer connects, the idle timeout does not run`() {
    var timer = timer()
    let late = start + .seconds(60)
    let check = timer.nextCheck(.seconds(3), reading(0, connected: 0), at: late)
    #expect(check == late + .milliseconds(100))
    // It begins with the connection.
    let connected = reading(0, connected: 59_000_000)
    #expect(timer.nextCheck(.seconds(3), connected, at: late) == start + .seconds(62))
  }

  @Test func `A hop that has just begun is checked soon`() {
    #expect(timer().firstCheck(nil) == start + .milliseconds(100))
    #expect(timer().firstCheck(.milliseconds(20)) == start + .milliseconds(20))
  }
}
