import Glibc
import QueuedHTTP
import Testing

struct TaskExecutorTests {
  @Test func `Tasks on the client's executor send requests from its own thread`() async throws {
    let server = try LoopbackServer { _ in .ok("body") }
    defer { server.close() }
    let client = HTTPClient()
    let threads = try await withThrowingTaskGroup(of: [pthread_t].self) { group in
      for _ in 0..<20 {
        group.addTask(executorPreference: client.taskExecutor) {
          var threads: [pthread_t] = []
          for _ in 0..<10 {
            let response = try await client.send(patient(url: server.url()))
            #expect(response.status == 200)
            threads.append(pthread_self())
          }
          return threads
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(threads.count == 200)
    #expect(Set(threads).count == 1)
    await client.shutdown()
  }

  @Test func `A task on the executor continues after the client was shut down`() async throws {
    let client = HTTPClient()
    let executor = client.taskExecutor
    let task = Task(executorPreference: executor) {
      let before = pthread_self()
      await client.shutdown()
      return before
    }
    _ = await task.value
    #expect(await Task(executorPreference: executor) { 7 }.value == 7)
  }

  @Test func `A task on the executor is canceled like any other`() async throws {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let client = HTTPClient()
    let task = Task(executorPreference: client.taskExecutor) {
      try await client.send(patient(url: server.url()))
    }
    await server.arrived(1)
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await client.shutdown()
  }
}
