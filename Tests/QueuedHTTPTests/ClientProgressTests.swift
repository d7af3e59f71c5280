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
    // After the end there is the last state, and then nothing.
    var late: [ClientProgress] = []
    for await state in client.progress { late.append(state) }
    #expect(late == [last])
  }
}
