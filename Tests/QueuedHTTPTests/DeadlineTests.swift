import QueuedHTTP
import Testing

/// One bound over the queue, the attempts and the waits between them.
@Suite struct DeadlineTests {
  private func request(_ url: String, deadline: Duration) -> HTTPRequest {
    var request = patient(url: url, retries: RetryPolicy(limit: 1000, budget: .days))
    request.deadline = deadline
    return request
  }

  private func error(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPError? {
    await #expect(throws: HTTPError.self) { try await client.send(request) }
  }

  @Test func `A transfer ends at its deadline, and its connection with it`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let error = await error(client, request(server.url(), deadline: .milliseconds(200)))
    #expect(error?.code == .deadline)
    #expect(error?.reason == "not finished within its deadline of 200 ms")
    await server.isDeserted()
    #expect(client.counts.running == 0)
    await client.shutdown()
  }

  @Test func `Waiting in the queue counts against the deadline`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 0
    let client = HTTPClient(configuration: configuration)
    let error = await error(client, request(server.url(), deadline: .milliseconds(50)))
    #expect(error?.code == .deadline)
    #expect(error?.timings.attempts == 0)
    #expect(server.targets == [])
    await client.shutdown()
  }

  @Test func `A wait that would pass the deadline is not begun`() async throws {
    let server = try LoopbackServer { _ in .status(503, headers: ["Retry-After: 300"]) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(request(server.url(), deadline: .seconds(299)))
    #expect(response.status == 503)
    #expect(response.timings.attempts == 1)
    await client.shutdown()
  }

  @Test func `A deadline does not affect a request that ends in time`() async throws {
    let server = try LoopbackServer { _ in .ok() }
    defer { server.close() }
    let client = HTTPClient()
    for _ in 0..<200 { _ = try await client.send(request(server.url(), deadline: .hours)) }
    #expect(client.counts.done == 200)
    await client.shutdown()
  }

  @Test func `A deadline is met after many later ones of requests that have ended`() async throws {
    let server = try LoopbackServer { $0.target == "/stall" ? .stall : .ok() }
    defer { server.close() }
    let client = HTTPClient()
    let stalled = Task { try await client.send(request(server.url("/stall"), deadline: .hours)) }
    await server.until { $0.requests.count == 1 }
    for _ in 0..<65 { _ = try await client.send(request(server.url(), deadline: .days)) }
    var last = request(server.url("/stall"), deadline: .milliseconds(200))
    (last.timeouts.idle, last.retries) = (.seconds(3), RetryPolicy(limit: 0))
    #expect(await error(client, last)?.code == .deadline)
    await client.shutdown()
    _ = await stalled.result
  }
}
