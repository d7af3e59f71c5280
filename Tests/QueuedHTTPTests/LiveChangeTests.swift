import Dispatch
import QueuedHTTP
import Testing

/// Limits and paces that change while requests wait and run.
@Suite struct LiveChangeTests {
  /// What a limit is changed by.
  enum Knob: CaseIterable, Sendable {
    case all, everyLane, oneLane

    func set(_ limit: Int, of client: HTTPClient) {
      switch self {
      case .all: client.setConcurrency(limit)
      case .everyLane: client.setLaneLimit(limit)
      case .oneLane: client.setLimit(limit, for: LiveChangeTests.lane)
      }
    }
  }

  private static let lane = Lane(rawValue: "changed")

  private func client(perLane: Int = 1_000) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1_000
    configuration.perLane = perLane
    return HTTPClient(configuration: configuration)
  }

  @Test(arguments: Knob.allCases)
  func `A lower limit ends no running request, a higher one starts waiting requests at once`(
    knob: Knob
  ) async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client()
    knob.set(4, of: client)
    let ends = Ends()
    for _ in 0..<10 {
      client.enqueue(
        patient(url: server.url(), lane: Self.lane), on: ends.queue, completion: ends.take)
    }
    await server.arrived(4)
    knob.set(2, of: client)
    #expect(client.counts.running == 4)
    gate.open(2)
    await ends.reached(2)
    // Nothing takes the place of the two that were too many.
    #expect(client.counts.running == 2)
    #expect(client.counts.queued == 6)
    #expect(server.targets.count == 4)
    gate.open(1)
    await server.arrived(5)
    #expect(client.counts.running == 2)
    knob.set(5, of: client)
    #expect(client.counts.running == 5)
    await server.arrived(8)
    knob.set(0, of: client)
    gate.open(5)
    await ends.reached(8)
    #expect(client.counts.running == 0)
    #expect(client.counts.queued == 2)
    knob.set(1, of: client)
    gate.open()
    await ends.reached(10)
    #expect(ends.statuses == [Int](repeating: 200, count: 10))
    #expect(server.targets.count == 10)
    await client.shutdown()
  }

  @Test func `A limit of its own counts for one lane, and without it the common one`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client(perLane: 1)
    client.setLimit(3, for: Self.lane)
    let ends = Ends()
    for _ in 0..<6 {
      for lane in [Self.lane, Lane(rawValue: "other")] {
        client.enqueue(
          patient(url: server.url("/\(lane.rawValue)"), lane: lane), on: ends.queue,
          completion: ends.take)
      }
    }
    await server.arrived(4)
    #expect(client.counts.running == 4)
    client.setLaneLimit(2)
    await server.arrived(5)
    #expect(server.targets.filter { $0 == "/changed" }.count == 3)
    #expect(server.targets.filter { $0 == "/other" }.count == 2)
    client.setLimit(nil, for: Self.lane)
    #expect(client.counts.running == 5)
    // By now three of the one lane are one too many, and the common limit is raised for both.
    client.setLaneLimit(4)
    await server.arrived(8)
    #expect(server.targets.filter { $0 == "/changed" }.count == 4)
    #expect(server.targets.filter { $0 == "/other" }.count == 4)
    gate.open()
    await ends.reached(12)
    #expect(client.counts.done == 12)
    await client.shutdown()
  }

  @Test func `A pace holds for all that ask at once, in its lane alone, until it is changed`()
    async throws
  {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = client()
    client.setPace(Pace(requests: 3, per: .days), for: Self.lane)
    let ends = Ends()
    let url = server.url()
    DispatchQueue.concurrentPerform(iterations: 50) { _ in
      client.enqueue(patient(url: url, lane: Self.lane), on: ends.queue, completion: ends.take)
    }
    await ends.reached(3)
    #expect(client.counts.running == 0)
    #expect(client.counts.queued == 47)
    #expect(try await client.send(patient(url: url)).status == 200)
    #expect(server.targets.count == 4)
    // A new pace begins with a full bucket, and none at all with an open door.
    client.setPace(Pace(requests: 5, per: .days), for: Self.lane)
    await ends.reached(8)
    #expect(client.counts.running == 0)
    #expect(client.counts.queued == 42)
    client.setPace(nil, for: Self.lane)
    await ends.reached(50)
    #expect(ends.statuses == [Int](repeating: 200, count: 50))
    await client.shutdown()
  }

  @Test func `A new pace delays new requests, but no running one`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok()) }
    defer { server.close() }
    let client = client()
    let ends = Ends()
    func enqueue(_ count: Int) {
      for _ in 0..<count {
        client.enqueue(
          patient(url: server.url(), lane: Self.lane), on: ends.queue, completion: ends.take)
      }
    }
    enqueue(3)
    await server.arrived(3)
    client.setPace(Pace(requests: 1, per: .days), for: Self.lane)
    #expect(client.counts.running == 3)
    enqueue(3)
    #expect(client.counts.running == 4)
    #expect(client.counts.queued == 2)
    gate.open()
    await ends.reached(4)
    #expect(ends.statuses == [200, 200, 200, 200])
    #expect(client.counts.running == 0)
    #expect(client.counts.queued == 2)
    await client.cancelAll()
    await ends.reached(6)
    #expect(client.counts.cancelled == 2)
    await client.shutdown()
  }
}
