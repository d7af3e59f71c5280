import Synchronization
import Testing

@testable import SearchEngine

@Suite struct ReadingGateTests {
  /// The sizes of the responses that are read at once.
  private final class Sizes: Sendable {
    let now = Mutex((sum: 0, most: 0, count: 0))

    func read(_ size: Int) {
      now.withLock { now in
        now.sum += size
        now.most = max(now.most, now.sum)
      }
      // Others get their chance to break in.
      for _ in 0..<1000 { _ = now.withLock { $0.sum } }
      now.withLock { now in
        now.sum -= size
        now.count += 1
      }
    }
  }

  @Test func `Large responses are read within the limit, and all of them`() async {
    let gate = ReadingGate(limit: 10 << 20)
    let sizes = Sizes()
    await withTaskGroup { group in
      for number in 0..<40 {
        let size = (number % 5 + 2) << 20
        group.addTask { await gate.pass(size: size) { sizes.read(size) } }
      }
    }
    let read = sizes.now.withLock { $0 }
    #expect(read.count == 40)
    #expect(read.most <= 10 << 20)
  }

  @Test func `A response beyond the limit is read alone`() async {
    let gate = ReadingGate(limit: 2 << 20)
    #expect(await gate.pass(size: 30 << 20) { "read" } == "read")
    #expect(await gate.pass(size: 30 << 20) { "again" } == "again")
  }
}
