import Synchronization
import TestSupport
import Testing

@testable import QueuedHTTP

@Suite struct SharedRefreshTests {
  @Test func `Whoever is canceled stops waiting at once, and the others get the value`()
    async throws
  {
    let (begun, noteBegin) = AsyncStream.makeStream(of: Void.self)
    let gate = Shared(Mutex<CheckedContinuation<Void, Never>?>(nil))
    let refresh = SharedRefresh<Int>(nil) { _ in
      await withCheckedContinuation { waiter in
        gate.value.withLock { $0 = waiter }
        noteBegin.yield()
      }
      try Task.checkCancellation()
      return 7
    }
    let first = Task { try await refresh.value { _ in true }.value }
    for await _ in begun { break }
    let others = (0..<10).map { _ in Task { try await refresh.value { _ in true }.value } }
    while refresh.waiting < 11 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(refresh.waiting == 10)
    gate.value.withLock { $0.take() }?.resume()
    for other in others { #expect(try await other.value == 7) }
    #expect(try await refresh.value { _ in true }.number == 1)
  }

  @Test func `Whoever is canceled before waiting gets no value, and begins no operation`()
    async throws
  {
    let runs = Shared(Atomic<Int>(0))
    let refresh = SharedRefresh<Int>(nil) { _ in
      runs.value.add(1, ordering: .relaxed)
      return 7
    }
    for _ in 0..<100 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await refresh.value { _ in true }.value
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(refresh.waiting == 0)
    #expect(try await refresh.value { _ in true }.value == 7)
    #expect(runs.value.load(ordering: .relaxed) == 1)
  }
}
