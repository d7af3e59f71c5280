import QueuedHTTP
import Testing

@Suite struct GroupTests {
  private let one = RequestGroup(rawValue: "one")
  private let other = RequestGroup(rawValue: "other")

  @Test func `Canceling a group ends its requests in any state, and no others`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { request in
      switch request.target {
      case "/late": .status(503, headers: ["Retry-After: 36000"])
      case "/run": .stall
      default: .after(gate, .ok())
      }
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 2
    let client = HTTPClient(configuration: configuration)
    let mine = Ends()
    let theirs = Ends()
    let late = patient(url: server.url("/late"), lane: Lane(rawValue: "late"), group: one)
    client.enqueue(late, on: mine.queue, completion: mine.take)
    await server.arrived(1)
    let run = patient(url: server.url("/run"), lane: Lane(rawValue: "run"), group: one)
    client.enqueue(run, on: mine.queue, completion: mine.take)
    await server.arrived(2)
    client.setConcurrency(1)
    for index in 0..<20 {
      client.enqueue(
        patient(url: server.url("/\(index)"), group: index % 2 == 0 ? one : other),
        on: (index % 2 == 0 ? mine : theirs).queue,
        completion: (index % 2 == 0 ? mine : theirs).take)
    }
    client.cancel(group: one)
    await mine.reached(12)
    #expect(mine.codes.allSatisfy { $0 == .cancelled })
    gate.open()
    await theirs.reached(10)
    #expect(theirs.statuses.count == 10)
    // None of the canceled ones was sent in another's place.
    #expect(
      server.targets.dropFirst(2) == [
        "/1", "/3", "/5", "/7", "/9", "/11", "/13", "/15", "/17", "/19",
      ])
    client.cancel(group: one)
    client.cancel(group: other)
    await client.shutdown()
    #expect(client.counts.cancelled == 12)
  }

  @Test func `What waits in a group can be canceled, and what is under way gets its result`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { request in
      switch request.target {
      case "/late": .status(503, headers: ["Retry-After: 36000"])
      case "/broken": .after(gate, .status(500))
      default: .after(gate, .ok())
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    client.enqueue(
      patient(url: server.url("/late"), lane: Lane(rawValue: "late"), group: one), on: ends.queue,
      completion: ends.take)
    await server.arrived(1)
    client.setConcurrency(3)
    for target in ["/good", "/broken", "/queued", "/queued"] {
      client.enqueue(
        patient(
          url: server.url(target), lane: Lane(rawValue: target), retries: .soon, group: one),
        on: ends.queue, completion: ends.take)
    }
    let others = Ends()
    client.enqueue(
      patient(url: server.url("/other"), lane: Lane(rawValue: "other"), group: other),
      on: others.queue, completion: others.take)
    await server.arrived(4)
    client.cancelWaiting(group: one)
    gate.open()
    await ends.reached(5)
    await others.reached(1)
    // One was queued, one waited to be sent again; the broken one is not sent again.
    #expect(ends.codes == [.cancelled, .cancelled])
    #expect(ends.statuses.sorted() == [200, 200, 500])
    #expect(others.statuses == [200])
    await client.shutdown()
  }

  @Test func `Requests can be canceled by a predicate`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    for index in 0..<10 {
      client.enqueue(
        patient(url: server.url("/\(index)")), on: ends.queue, completion: ends.take)
    }
    client.cancel { request in
      // It may ask the client anything.
      client.counts.underWay > 0 && (Int(request.url.suffix(1)) ?? 0) < 6
    }
    await ends.reached(6)
    #expect(client.counts.underWay == 4)
    await client.shutdown()
    await ends.reached(10)
    #expect(ends.codes.filter { $0 == .cancelled }.count == 6)
  }

  @Test(arguments: [true, false])
  func `Of many requests that are canceled none starts, and each ends once`(
    isGroup: Bool
  ) async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 0
    let client = HTTPClient(configuration: configuration)
    let mine = Ends()
    let theirs = Ends()
    for number in 0..<5_000 {
      let ends = number == 4_000 ? theirs : mine
      client.enqueue(
        patient(url: server.url("/\(number)"), group: number == 4_000 ? other : one),
        on: ends.queue, completion: ends.take)
    }
    if isGroup {
      client.cancel(group: one)
    } else {
      client.cancel { $0.group == one }
    }
    client.setConcurrency(16)
    await theirs.reached(1)
    await mine.reached(4_999)
    #expect(theirs.statuses == [200])
    #expect(mine.codes.allSatisfy { $0 == .cancelled })
    #expect(server.targets == ["/4000"])
    #expect(client.counts.underWay == 0)
    await client.shutdown()
    #expect(mine.results.count == 4_999)
    #expect(client.counts.cancelled == 4_999)
  }

  @Test func `Before a full queue senders stand in line, and producers can wait for room`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    configuration.capacity = .wait(above: 2)
    configuration.ageing = .hours
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    await client.waitForRoom()
    for (index, priority) in [RequestPriority.normal, .normal, .low, .low, .veryHigh].enumerated() {
      client.enqueue(
        patient(url: server.url("/\(index)")), priority: priority, on: ends.queue,
        completion: ends.take)
    }
    #expect(client.counts.queued == 4)
    let producer = Task {
      await client.waitForRoom()
      return client.counts.queued
    }
    let givenUp = Task { await client.waitForRoom() }
    givenUp.cancel()
    await givenUp.value
    gate.open(3)
    await ends.reached(3)
    #expect(await producer.value < 2)
    gate.open()
    await ends.reached(5)
    // The last came in when one place was free, and then its class counted.
    #expect(server.targets == ["/0", "/1", "/2", "/4", "/3"])
    await client.shutdown()
    await client.waitForRoom()
  }

  @Test func `A priority changed before the start counts`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    configuration.ageing = .hours
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    let operations = (0..<4).map { index in
      client.operation(patient(url: server.url("/\(index)")), on: ends.queue, completion: ends.take)
    }
    operations[3].priority = .veryHigh
    for operation in operations { operation.start() }
    operations[2].priority = .high
    #expect(operations.map(\.priority) == [.normal, .normal, .high, .veryHigh])
    gate.open()
    await ends.reached(4)
    #expect(server.targets == ["/0", "/3", "/2", "/1"])
    await client.shutdown()
  }
}
