import QueuedHTTP
import Synchronization
import Testing

@Suite struct ObserverTests {
  /// Writes down what it is told.
  private final class Recorder: RequestObserver {
    private let lines = Mutex<[String]>([])
    var events: [String] { lines.withLock { $0 } }

    private func note(_ line: String) { lines.withLock { $0.append(line) } }

    func prepare(_ request: HTTPRequest, id: UInt64) -> HTTPRequest {
      var request = request
      request.headers["X-Trace"] = "trace-\(id)"
      return request
    }

    func queued(_ request: ObservedRequest) { note("\(request.id) queued") }

    func started(_ request: ObservedRequest, attempt: Int) {
      note("\(request.id) started \(attempt)")
    }

    func connected(_ request: ObservedRequest, to remoteAddress: String, isReused: Bool) {
      note("\(request.id) connected \(remoteAddress)\(isReused ? " again" : "")")
    }

    func retried(
      _ request: ObservedRequest, after wait: Duration,
      because result: Result<HTTPResponse, HTTPError>
    ) {
      guard case .success(let response) = result else { return note("\(request.id) faulted") }
      note("\(request.id) retried after \(wait) because \(response.status)")
    }

    func cooledDown(_ lane: Lane, for wait: Duration) { note("\(lane.rawValue) cooled \(wait)") }

    func finished(_ request: ObservedRequest, with result: Result<HTTPResponse, HTTPError>) {
      switch result {
      case .success(let response):
        note("\(request.id) finished \(response.status) \(response.timings.attempts)")
      case .failure(let error): note("\(request.id) finished \(error.code.rawValue)")
      }
    }
  }

  private func client(_ recorder: Recorder) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.proxy = ""
    configuration.observer = recorder
    return HTTPClient(configuration: configuration)
  }

  @Test func `An observer hears of the lane that cools down, and of each attempt once`()
    async throws
  {
    let answers = Shared(
      Mutex<[Answer]>([.status(429, headers: ["Retry-After: 1"]), .ok()]))
    let other = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    let server = try LoopbackServer { _ in .redirect(to: other.url("/moved")) }
    defer {
      server.close()
      other.close()
    }
    let recorder = Recorder()
    let client = client(recorder)
    _ = try await client.send(patient(url: server.url()))
    let cooled = recorder.events.filter { $0.contains("cooled") }
    #expect(cooled.count == 1)
    #expect(cooled.first?.hasPrefix("http://127.0.0.1:\(other.port) cooled") == true)
    #expect(
      recorder.events.filter { $0.contains("started") }.map { $0.suffix(9) } == [
        "started 1", "started 2",
      ])
    await client.shutdown()
  }

  @Test func `An observer sees each step of a request, and may add to it`() async throws {
    let answers = Shared(
      Mutex<[Answer]>([.status(429, headers: ["Retry-After: 0"]), .status(500), .ok()]))
    let server = try LoopbackServer { _ in answers.value.withLock { $0.removeFirst() } }
    defer { server.close() }
    let recorder = Recorder()
    let client = client(recorder)
    var request = patient(url: server.url("/a?secret=1"), retries: .soon)
    request.retries.firstWait = .zero
    request.lane = Lane(rawValue: "lane")
    #expect(try await client.send(request).status == 200)
    let place = "127.0.0.1:\(server.port)"
    #expect(
      recorder.events == [
        "1 queued", "1 started 1", "1 connected \(place)", "lane cooled 0.0 seconds",
        "1 retried after 0.0 seconds because 429",
        "1 started 2", "1 connected \(place) again",
        "1 retried after 0.0 seconds because 500",
        "1 started 3", "1 connected \(place) again", "1 finished 200 3",
      ])
    #expect(server.seen.requests.map { $0.header("X-Trace") } == ["trace-1", "trace-1", "trace-1"])
    await client.shutdown()
  }

  @Test func `Every prepared request is finished, even if it is malformed or canceled`()
    async throws
  {
    let server = try LoopbackServer { _ in .stall }
    defer { server.close() }
    let recorder = Recorder()
    let client = client(recorder)
    await #expect(throws: HTTPError.self) { try await client.send(patient(url: "nowhere:")) }
    #expect(recorder.events == ["1 finished bad request"])
    let operation = client.enqueue(patient(url: server.url()))
    await server.arrived(1)
    await client.cancelAll()
    await #expect(throws: HTTPError.self) { try await operation.value }
    #expect(recorder.events.last == "2 finished cancelled")
    await client.shutdown()
  }
}
