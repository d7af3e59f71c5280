import QueuedHTTP
import Synchronization
import Testing

/// Equal requests under way that share one transfer.
@Suite(.timeLimit(.minutes(2))) struct JoiningTests {
  private func client(cache: (any HTTPCache)? = nil) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.joinsEqualRequests = true
    configuration.perLane = 100
    configuration.ageing = .hours
    configuration.cache = cache
    return HTTPClient(configuration: configuration)
  }

  @Test(arguments: [false, true])
  func `Equal requests are sent once, and each has its end`(hasCache: Bool) async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok("abc")) }
    defer { server.close() }
    let client = client(cache: hasCache ? MemoryCache() : nil)
    let operations = (0..<10).map { _ in client.enqueue(patient(url: server.url())) }
    await server.arrived(1)
    #expect(client.counts.underWay == 10)
    gate.open()
    for operation in operations {
      let response = try await operation.value
      #expect(response.body.text == "abc")
      #expect(response.timings.attempts == 1)
    }
    #expect(server.targets.count == 1)
    #expect(client.counts.done == 10)
    #expect(client.counts.underWay == 0)
    _ = try await client.send(patient(url: server.url()))
    #expect(server.targets.count == 2)
    await client.shutdown()
  }

  @Test func `Requests that differ in anything have a transfer each`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok("abc")) }
    defer { server.close() }
    let client = client()
    let url = server.url()
    let requests = [
      patient(url: url), patient(url: url, headers: ["Authorization": "Bearer a"]),
      patient(url: url, headers: ["Authorization": "Bearer b"]), patient(.head, url: url),
      patient(url: server.url("/other")), patient(.post, url: url), patient(.post, url: url),
      patient(url: url, bounds: ResponseBounds(bodyBytes: 10)),
      patient(url: url, validations: [.status()]), patient(url: url, validations: [.status()]),
    ]
    let operations = requests.map { client.enqueue($0) }
    await server.arrived(requests.count)
    gate.open()
    for operation in operations { #expect(try await operation.value.status == 200) }
    #expect(server.targets.count == requests.count)
    await client.shutdown()
  }

  @Test func `Canceling one member leaves the others alone, canceling all ends the transfer`()
    async throws
  {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok("abc")) }
    defer { server.close() }
    let client = client()
    var request = patient(url: server.url())
    request.group = RequestGroup(rawValue: "first")
    let first = client.enqueue(request)
    await server.arrived(1)
    request.group = nil
    let second = client.enqueue(request)
    let third = client.enqueue(request)
    client.cancel(group: RequestGroup(rawValue: "first"))
    third.cancel()
    #expect(first.state == .cancelled)
    #expect(third.state == .cancelled)
    #expect(second.state == .running)
    gate.open()
    #expect(try await second.value.body.text == "abc")
    #expect(server.targets.count == 1)
    let stalled = Gate()
    let slow = try LoopbackServer { _ in .after(stalled, .ok()) }
    defer { slow.close() }
    let operations = (0..<3).map { _ in client.enqueue(patient(url: slow.url())) }
    await slow.arrived(1)
    for operation in operations { operation.cancel() }
    #expect(client.counts.underWay == 0)
    #expect(client.counts.running == 0)
    #expect(client.counts.cancelled == 5)
    stalled.open()
    await slow.isDeserted()
    await client.shutdown()
  }

  @Test func `Canceling what waits of one group leaves the retries of another alone`() async throws
  {
    let gate = Gate()
    let tries = Mutex(0)
    let server = try LoopbackServer { _ in
      let number = tries.withLock {
        $0 += 1; return $0
      }
      return number == 1 ? .after(gate, .status(500)) : .ok("abc")
    }
    defer { server.close() }
    let client = client()
    var request = patient(url: server.url(), retries: .soon)
    request.group = RequestGroup(rawValue: "one")
    let one = client.enqueue(request)
    await server.arrived(1)
    request.group = RequestGroup(rawValue: "other")
    let other = client.enqueue(request)
    client.cancelWaiting(group: RequestGroup(rawValue: "one"))
    gate.open()
    #expect(try await other.value.status == 200)
    #expect(try await one.value.status == 200)
    await client.shutdown()
  }

  @Test func `A request that shares a transfer gives it its priority`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { $0.target == "/first" ? .after(gate, .ok()) : .ok() }
    defer { server.close() }
    let client = client()
    client.setConcurrency(1)
    let first = client.enqueue(patient(url: server.url("/first")))
    await server.arrived(1)
    let low = client.enqueue(patient(url: server.url("/shared")), priority: .low)
    let raised = client.enqueue(patient(url: server.url("/raised")), priority: .low)
    let normal = client.enqueue(patient(url: server.url("/normal")), priority: .normal)
    let high = client.enqueue(patient(url: server.url("/shared")), priority: .high)
    let second = client.enqueue(patient(url: server.url("/raised")), priority: .low)
    second.priority = .veryHigh
    gate.open()
    for operation in [first, low, raised, normal, high, second] { _ = try await operation.value }
    #expect(server.targets == ["/first", "/raised", "/shared", "/normal"])
    await client.shutdown()
  }

  @Test func `A failure and the end of all reach everyone who shares`() async throws {
    let server = try LoopbackServer { $0.target == "/reset" ? .reset : .stall }
    defer { server.close() }
    let client = client()
    let reset = patient(url: server.url("/reset"), retries: .never)
    let failing = (0..<3).map { _ in client.operation(reset) }
    for operation in failing { operation.start() }
    for operation in failing {
      let error = await #expect(throws: HTTPError.self) { try await operation.value }
      #expect(error?.code == .connection)
    }
    let stalled = (0..<3).map { _ in client.enqueue(patient(url: server.url())) }
    await client.cancelAll()
    for operation in stalled {
      let error = await #expect(throws: HTTPError.self) { try await operation.value }
      #expect(error?.code == .cancelled)
    }
    #expect(client.counts.cancelled == 3)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }
}
