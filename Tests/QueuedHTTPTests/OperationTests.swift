import Dispatch
import QueuedHTTP
import Synchronization
import Testing

@Suite struct OperationTests {
  /// Notes where it is freed.
  private final class Witness: Sendable {
    private static let key = DispatchSpecificKey<String>()
    private let note: @Sendable (String?) -> Void

    init(_ note: @escaping @Sendable (String?) -> Void) { self.note = note }

    static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: "named") }
    static var place: String? { DispatchQueue.getSpecific(key: key) }

    deinit { note(Self.place) }
  }

  private enum End: CaseIterable { case response, cancel, cancelBeforeStart, drop, shutdown }

  @Test(arguments: End.allCases, [false, true])
  private func `Closures are called and freed on the queue or executor that was named`(
    end: End, isExecutor: Bool
  ) async throws {
    let server = try LoopbackServer { $0.target == "/ok" ? .ok() : .stall }
    defer { server.close() }
    let client = HTTPClient()
    let queue = DispatchQueue(label: "tests.named")
    Witness.mark(queue)
    let called = Mutex<[String?]>([])
    let calls = Shared(called)
    await withCheckedContinuation { freed in
      let places = Shared(Mutex<[String?]>([]))
      let note: @Sendable (String?) -> Void = { place in
        let count = places.value.withLock { places in
          places.append(place)
          return places.count
        }
        #expect(place == "named")
        if count == 2 { freed.resume() }
      }
      var operation: HTTPOperation? = {
        let one = Witness(note)
        let other = Witness(note)
        let request = patient(url: server.url(end == .response ? "/ok" : "/"))
        let progress: @Sendable (TransferProgress) -> Void = { _ in withExtendedLifetime(one) {} }
        let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void = { _ in
          withExtendedLifetime(other) {}
          calls.value.withLock { $0.append(Witness.place) }
        }
        return isExecutor
          ? client.operation(
            request, progress: progress, on: QueueExecutor(queue), completion: completion)
          : client.operation(request, progress: progress, on: queue, completion: completion)
      }()
      switch end {
      case .response: operation?.start()
      case .cancel:
        operation?.start()
        operation?.cancel()
      case .cancelBeforeStart:
        operation?.cancel()
        operation?.start()
      case .drop: operation = nil
      case .shutdown:
        operation?.start()
        let client = client
        Task { await client.shutdown() }
      }
      operation = nil
    }
    #expect(calls.value.withLock { $0 } == (end == .drop ? [] : ["named"]))
    if end == .cancelBeforeStart { #expect(server.targets.isEmpty) }
    await client.shutdown()
  }

  @Test func `An executor gets the progress, then the result`() async throws {
    let server = try LoopbackServer { _ in .ok("12345") }
    defer { server.close() }
    let client = HTTPClient()
    let told = Shared(Mutex<[String]>([]))
    let queue = DispatchQueue(label: "tests.named")
    Witness.mark(queue)
    await withCheckedContinuation { ended in
      client.enqueue(
        patient(url: server.url()),
        progress: { progress in
          told.value.withLock { $0.append("\(progress.received) \(Witness.place ?? "elsewhere")") }
        }, on: QueueExecutor(queue)
      ) { result in
        #expect((try? result.get().status) == 200)
        told.value.withLock { $0.append("end \(Witness.place ?? "elsewhere")") }
        ended.resume()
      }
    }
    #expect(told.value.withLock { $0 } == ["5 named", "end named"])
    await client.shutdown()
  }

  @Test func `An operation that was made does nothing until it is started`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let operation = client.operation(
      patient(url: server.url()), on: ends.queue, completion: ends.take)
    #expect(operation.state == .ready)
    #expect(client.counts.underWay == 0)
    operation.start()
    operation.start()
    await ends.reached(1)
    #expect(operation.state == .finished)
    #expect(server.targets.count == 1)
    operation.cancel()
    #expect(operation.state == .finished)
    await client.shutdown()
    ends.queue.sync {}
    #expect(ends.statuses == [200])
  }

  @Test func `Progress goes up to the stated length in steps`() async throws {
    let gate = Gate()
    let piece = [UInt8](repeating: 120, count: 100)
    let server = try LoopbackServer { _ in
      .pieces([Answer.head(200, ["Content-Length: 400"])] + Array(repeating: piece, count: 4), gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let told = Shared(Mutex<[TransferProgress]>([]))
    gate.open(1)
    client.enqueue(
      patient(url: server.url()), progressThreshold: 25,
      progress: { progress in
        told.value.withLock { $0.append(progress) }
        gate.open(1)
      }, on: ends.queue, completion: ends.take)
    gate.open(1)
    await ends.reached(1)
    let steps = told.value.withLock { $0 }
    #expect(steps.map(\.received) == [100, 200, 300, 400])
    #expect(steps.map(\.percent) == [25, 50, 75, 100])
    await client.shutdown()
  }

  @Test func `Progress is in bytes if the length is unknown`() async throws {
    let server = try LoopbackServer { _ in
      .rawThenClose(Answer.head(200, []) + [UInt8](repeating: 120, count: 500))
    }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let told = Shared(Mutex<[TransferProgress]>([]))
    client.enqueue(
      patient(url: server.url()),
      progress: { progress in told.value.withLock { $0.append(progress) } },
      on: ends.queue, completion: ends.take)
    await ends.reached(1)
    let last = try #require(told.value.withLock { $0.last })
    #expect(last == TransferProgress(received: 500, expected: nil))
    #expect(last.percent == nil)
    await client.shutdown()
  }
}
