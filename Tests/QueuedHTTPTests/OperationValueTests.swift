import QueuedHTTP
import Synchronization
import Testing

@Suite struct OperationValueTests {
  @Test func `An operation's value is its response, however often it is read`() async throws {
    let server = try LoopbackServer { _ in .ok("abc") }
    defer { server.close() }
    let client = HTTPClient()
    let operation = client.operation(patient(url: server.url()))
    #expect(operation.state == .ready)
    async let first = operation.value
    async let second = operation.value
    #expect(try await first.body.text == "abc")
    #expect(try await second.body.text == "abc")
    #expect(try await operation.value.status == 200)
    #expect(operation.state == .finished)
    #expect(server.targets.count == 1)
    await client.shutdown()
  }

  @Test func `Canceling the task that waits for the value cancels the operation`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let operation = client.enqueue(patient(url: server.url()))
    let task = Task { try await operation.value }
    await server.arrived(1)
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    #expect(operation.state == .cancelled)
    await server.isDeserted()
    await client.shutdown()
  }

  @Test func `Progress reaches a task and a closure, and the last of it before the value`()
    async throws
  {
    let server = try LoopbackServer { _ in .status(200, [UInt8](repeating: 1, count: 200_000)) }
    defer { server.close() }
    let client = HTTPClient()
    let seen = Shared(Mutex<[TransferProgress]>([]))
    let response = try await client.send(patient(url: server.url())) { progress in
      seen.value.withLock { $0.append(progress) }
    }
    #expect(response.body.count == 200_000)
    #expect(seen.value.withLock { $0.last?.percent } == 100)
    let operation = client.operation(patient(url: server.url()))
    let progress = operation.progress
    operation.start()
    var last: TransferProgress?
    for await step in progress { last = step }
    #expect(last?.received == 200_000)
    #expect(try await operation.value.body.count == 200_000)
    for await _ in operation.progress { Issue.record("an operation that ended reports nothing") }
    await client.shutdown()
  }

  @Test func `An operation keeps its client alive until it ends`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in .after(gate, .ok("abc")) }
    defer { server.close() }
    var client: HTTPClient? = HTTPClient()
    weak let observer = client
    let operation = try #require(client?.enqueue(patient(url: server.url())))
    client = nil
    #expect(observer != nil)
    await server.arrived(1)
    gate.open()
    #expect(try await operation.value.body.text == "abc")
    await server.isDeserted()
  }
}
