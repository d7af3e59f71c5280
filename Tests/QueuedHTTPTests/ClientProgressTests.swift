import QueuedHTTP
import Testing

@Suite struct ClientProgressTests {
  @Test func `The progress of all requests goes up to the end of the client`() async throws {
    let server = try LoopbackServer { _ in .ok("12345") }
    defer { server.close() }
    let client = HTTPClient()
    let progress = client.progress
    let seen = Task {
      var all: [ClientProgress] = []
      for await state in progress { all.append(state) }
      return all
    }
    for index in 0..<20 {
      let body: [UInt8]? = index % 2 == 0 ? [1, 2, 3] : nil
      _ = try await client.send(
        patient(index % 2 == 0 ? .post : .get, url: server.url(), body: body))
    }
    await client.shutdown()
    let states = await seen.value
    #expect(states.map(\.counts.done) == states.map(\.counts.done).sorted())
    #expect(states.map(\.bytesReceived) == states.map(\.bytesReceived).sorted())
    let last = try #require(states.last)
    #expect(last.counts.done == 20)
    #expect(last.counts.underWay == 0)
    #expect(last.bytesReceived == 100)
    #expect(last.bytesSent == 30)
    #expect(last.fractionEnded == 1)
    #expect(last.counts.connectionsOpened == 1)
    #expect(last.counts.connectionsReused == 19)
    // After the end there is the last state, and then nothing.
    var late: [ClientProgress] = []
    for await state in client.progress { late.append(state) }
    #expect(late == [last])
  }

  @Test func `Requests that wait in a cooling lane are counted`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/stop" ? .status(429, headers: ["Retry-After: 3600"]) : .ok()
    }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let lane = Lane(rawValue: "cold")
    let first = try await client.send(
      patient(.post, url: server.url("/stop"), lane: lane, retries: RetryPolicy(budget: .days)))
    #expect(first.status == 429)
    for _ in 0..<3 {
      client.enqueue(patient(url: server.url(), lane: lane), on: ends.queue, completion: ends.take)
    }
    #expect(client.counts.cooling == 3)
    #expect(client.counts.queued == 3)
    #expect(client.counts.underWay == 3)
    // Another lane goes on, and the snapshots carry the same.
    _ = try await client.send(patient(url: server.url()))
    for await progress in client.progress {
      #expect(progress.counts == client.counts)
      break
    }
    await client.cancelAll()
    #expect(client.counts.cooling == 0)
    #expect(client.counts.cancelled == 3)
    #expect(client.counts.done == 2)
    await client.shutdown()
  }

  @Test func `Connections are counted as they are opened and used again`() async throws {
    let server = try LoopbackServer { request in
      switch request.target {
      case "/first": .redirect(to: "/second")
      case "/last": .rawThenClose(Answer.head(200, ["Content-Length: 0", "Connection: close"]))
      case "/cut": .cut(said: 10, sent: 1)
      default: .ok()
      }
    }
    defer { server.close() }
    let client = HTTPClient()
    var counts: [[Int]] = []
    for target in ["/", "/first", "/last", "/", "/cut", "/"] {
      _ = try? await client.send(patient(url: server.url(target), retries: .never))
      counts.append([client.counts.connectionsOpened, client.counts.connectionsReused])
    }
    #expect(counts == [[1, 0], [1, 2], [1, 3], [2, 3], [2, 4], [3, 4]])
    #expect(server.seen.connections == 3)
    await client.shutdown()
  }
}
