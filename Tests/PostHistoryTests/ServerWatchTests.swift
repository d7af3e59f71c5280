import Glibc
import PostHistory
import Synchronization
import Testing

@testable import SharedHistory

/// How long a statement waits for a server that does not answer.
@Suite struct ServerWatchTests {
  /// Asks until the statement is given up, or some time is over; returns how long that took.
  private func wait(_ watch: ServerWatch) -> Duration {
    let begin = ContinuousClock.now
    while ContinuousClock.now - begin < .seconds(60), watch.goesOn(since: begin) { usleep(1000) }
    return ContinuousClock.now - begin
  }

  @Test func `A statement may take long as long as the server answers pings`() {
    let pings = Mutex(0)
    let watch = ServerWatch(
      every: .milliseconds(20), grace: .milliseconds(10), wait: LockWait(longest: .seconds(30))
    ) {
      pings.withLock { $0 += 1 }
      return true
    }
    let begin = ContinuousClock.now
    var goesOn = true
    while goesOn, pings.withLock({ $0 }) < 3 {
      goesOn = watch.goesOn(since: begin)
      usleep(1000)
    }
    #expect(goesOn)
  }

  @Test func `One whose server answers no ping is given up`() {
    let watch = ServerWatch(
      every: .milliseconds(20), grace: .milliseconds(10), wait: LockWait(longest: .seconds(30))
    ) { false }
    #expect(wait(watch) < .seconds(50))
    // The next statement is not judged by that ping.
    #expect(watch.goesOn(since: .now))
  }

  @Test func `Once nothing is to be waited for, a moment is left`() {
    let lock = LockWait(longest: .seconds(30))
    let watch = ServerWatch(every: .seconds(60), grace: .milliseconds(50), wait: lock) { true }
    #expect(watch.goesOn(since: .now))
    lock.end()
    let took = wait(watch)
    #expect(took >= .milliseconds(50) && took < .seconds(50))
  }
}
