import Dispatch
import Glibc
import QueuedHTTP
import Testing

// One after another and with nothing beside them, since they count what the whole process has open.
@Suite(.serialized) struct ShutdownTests {
  @Test func `After the shutdown requests end as such, and shutting down again is no harm`()
    async throws
  {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let running = Task { try await client.send(patient(url: server.url())) }
    await server.arrived(1)
    async let first: Void = client.shutdown()
    async let second: Void = client.shutdown()
    _ = await (first, second)
    let error = await #expect(throws: HTTPError.self) { try await running.value }
    #expect(error?.code == .shutDown)
    let late = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url()))
    }
    #expect(late?.code == .shutDown)
    await client.cancelAll()
    #expect(server.targets.count == 1)
    await server.isDeserted()
  }

  @Test func `An unreferenced client ends with its last operation`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let ends = Ends()
    var client: HTTPClient? = HTTPClient()
    weak let observer = client
    let operation = client?.enqueue(
      patient(url: server.url()), on: ends.queue, completion: ends.take)
    await server.arrived(1)
    client = nil
    #expect(observer != nil)
    operation?.cancel()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
    await server.isDeserted()
  }

  @Test func `A client's connections are closed when it is shut down`() async throws {
    let server = try LoopbackServer { _ in .ok(String(repeating: "x", count: 1000)) }
    defer { server.close() }
    let client = HTTPClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask { _ = try await client.send(patient(url: server.url())) }
      }
      try await group.waitForAll()
    }
    #expect(!server.seen.open.isEmpty)
    await client.shutdown()
    await server.isDeserted()
  }

  @Test func `When the process ends the threads of all clients have ended`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      // What is registered first is called last: as if by a library that libcurl was set up with.
      atexit {
        // A thread that has done its last is still listed for a moment.
        for _ in 0..<5000 where OpenResources.threads() > 0 { usleep(1000) }
        _exit(OpenResources.threads() == 0 ? 7 : 8)
      }
      let clients = (0..<8).map { _ in HTTPClient() }
      for client in clients {
        client.enqueue(HTTPRequest(url: "https://127.0.0.1:9/"), on: .global()) { _ in }
      }
      exit(0)
    }
  }
}
