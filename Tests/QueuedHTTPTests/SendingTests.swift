import QueuedHTTP
import Testing

@Suite struct SendingTests {
  @Test func `A request returns its response, and the body is followed by zeros`() async throws {
    let server = try LoopbackServer { _ in .ok("hello", headers: ["X-One: 1", "x-one:  2 "]) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(patient(url: server.url("/a?b=c")))
    #expect(response.status == 200)
    #expect(response.body.text == "hello")
    #expect(response.headers.values(of: "X-ONE") == ["1", "2"])
    #expect(response.url == server.url("/a?b=c"))
    #expect(response.timings.attempts == 1)
    #expect(response.timings.bytesDecoded == 5)
    response.body.withUnsafeBytes { bytes in
      let behind = UnsafeRawBufferPointer(
        start: bytes.baseAddress, count: bytes.count + HTTPBody.spareBytes)
      #expect(behind[5...].allSatisfy { $0 == 0 })
    }
    #expect(client.counts.done == 1)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }
}
