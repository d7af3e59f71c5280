import Dispatch
import QueuedHTTP
import Testing

@Suite struct RedirectLaneTests {
  private func lane(_ server: LoopbackServer) -> Lane {
    Lane(rawValue: "http://127.0.0.1:\(server.port)")
  }

  @Test func `Redirects keep to the limit of the lane that they lead to`() async throws {
    let gate = Gate()
    let target = try LoopbackServer { _ in .after(gate, .ok("there")) }
    defer { target.close() }
    let servers = try (0..<4).map { _ in
      try LoopbackServer { .redirect(to: target.url($0.target)) }
    }
    defer { for server in servers { server.close() } }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 64
    configuration.perLane = 2
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    for index in 0..<16 {
      client.enqueue(
        patient(url: servers[index % 4].url("/\(index)")), on: ends.queue, completion: ends.take)
    }
    for server in servers { await server.arrived(4) }
    await target.arrived(2)
    gate.open()
    await ends.reached(16)
    #expect(ends.statuses.count == 16)
    #expect(target.seen.mostAtOnce <= 2)
    #expect(target.targets.count == 16)
    for case .success(let response) in ends.results {
      #expect(response.timings.attempts == 1)
      #expect(response.url.hasPrefix(target.url("")))
    }
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `A lane that a request names holds for its redirects too`() async throws {
    let target = try LoopbackServer { _ in .ok() }
    defer { target.close() }
    let server = try LoopbackServer { _ in .redirect(to: target.url()) }
    defer { server.close() }
    let client = HTTPClient()
    client.setLimit(0, for: lane(target))
    let response = try await client.send(
      patient(url: server.url(), lane: Lane(rawValue: "of its own")))
    #expect(response.status == 200)
    await client.shutdown()
  }

  @Test func `A redirect into a cooling lane can be canceled, and has freed its slot`()
    async throws
  {
    let target = try LoopbackServer { _ in .ok() }
    defer { target.close() }
    let server = try LoopbackServer { request in
      request.target == "/ok" ? .ok() : .redirect(to: target.url())
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 1
    let client = HTTPClient(configuration: configuration)
    client.setLimit(0, for: lane(target))
    let ends = Ends()
    let operation = client.enqueue(
      patient(url: server.url()), on: ends.queue, completion: ends.take)
    _ = try await client.send(patient(url: server.url("/ok")))
    #expect(operation.state == .waitingToRetry)
    operation.cancel()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
    #expect(target.targets == [])
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `A 429 after a redirect cools the lane down that it led to`() async throws {
    let target = try LoopbackServer { _ in .status(429, headers: ["Retry-After: 3600"]) }
    defer { target.close() }
    let server = try LoopbackServer { request in
      request.target == "/ok" ? .ok() : .redirect(to: target.url())
    }
    defer { server.close() }
    let client = HTTPClient()
    let soon = RetryPolicy(budget: .seconds(60))
    let response = try await client.send(patient(url: server.url(), retries: soon))
    #expect(response.status == 429)
    // The lane of the redirect goes on, that of the target waits.
    #expect(try await client.send(patient(url: server.url("/ok"), retries: soon)).status == 200)
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(patient(url: target.url(), retries: soon))
    }
    #expect(error?.code == .coolingDown)
    // A further redirect to it ends as well, and says whereto the request was sent first.
    let other = await #expect(throws: HTTPError.self) {
      _ = try await client.send(patient(url: server.url(), retries: soon))
    }
    #expect(other?.code == .coolingDown)
    #expect(other?.address == server.url())
    #expect(target.targets.count == 1)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `A retry after a redirect begins with the first URL`() async throws {
    let gate = Gate(passes: 1)
    let target = try LoopbackServer { request in
      request.target == "/1" ? .status(503) : .after(gate, .ok("there"))
    }
    defer { target.close() }
    let servers = try LoopbackServer { request in
      .redirect(to: target.url(request.earlierOnConnection == 0 ? "/1" : "/2"))
    }
    defer { servers.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: servers.url(), retries: .soon))
    #expect(response.body.text == "there")
    #expect(response.timings.attempts == 2)
    #expect(target.targets == ["/1", "/2"])
    #expect(servers.targets.count == 2)
    await client.shutdown()
  }

  @Test(arguments: ["1700000000", "Fri, 01 Jan 2100 00:00:00 GMT"])
  func `A wait that a server names is no longer than the client allows`(value: String) async throws
  {
    let server = try LoopbackServer { request in
      request.earlierOnConnection == 0 ? .status(429, headers: ["Retry-After: \(value)"]) : .ok()
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    #expect(configuration.longestServerWait == .seconds(3600))
    configuration.longestServerWait = .milliseconds(20)
    let client = HTTPClient(configuration: configuration)
    let response = try await client.send(patient(url: server.url(), retries: .soon))
    #expect(response.status == 200)
    #expect(response.timings.attempts == 2)
    await client.shutdown()
  }

  @Test func `Ending a cool-down starts the waiting requests`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/limited" && request.earlierOnConnection == 0
        ? .status(429, headers: ["Retry-After: 1700000000"]) : .ok()
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.perLane = 1
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    for target in ["/limited", "/other"] {
      client.enqueue(
        patient(url: server.url(target), retries: RetryPolicy(budget: .days)), on: ends.queue,
        completion: ends.take)
    }
    for await progress in client.progress where progress.counts.cooling == 1 { break }
    #expect(client.counts.waitingToRetry == 1)
    client.endCoolDown(of: lane(server))
    await ends.reached(2)
    #expect(ends.statuses == [200, 200])
    #expect(client.counts.cooling == 0)
    // Without effect where there is none.
    client.endCoolDown(of: lane(server))
    client.endCoolDown(of: Lane(rawValue: "unknown"))
    await client.shutdown()
  }
}
