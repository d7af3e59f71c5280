import Dispatch
import QueuedHTTP
import TestSupport
import Testing

@Suite struct ValidationTests {
  private struct Odd: Error, CustomStringConvertible { var description: String { "an odd body" } }

  @Test(
    arguments: [
      (ResponseValidation.status(), 404, "status 404, expected 200 to 299"),
      (.status(in: [200, 304]), 201, "status 201, expected 200, 304"),
      (
        .contentType("application/json", "text/xml"), 200,
        "content type text/html, expected application/json or text/xml"
      ),
      (ResponseValidation { _ in throw Odd() }, 200, "an odd body"),
    ] as [(ResponseValidation, Int, String)])
  func `A response that fails a check is an error that says what was expected`(
    validation: ResponseValidation, status: Int, reason: String
  ) async throws {
    let server = try LoopbackServer { _ in
      .status(status, Array("body".utf8), headers: ["Content-Type: text/HTML; charset=utf-8"])
    }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(patient(url: server.url("/x"), validations: [validation]))
    }
    #expect(error?.code == .unacceptable)
    #expect(error?.description == "\(server.url("/x")): \(reason)")
    #expect(error?.response?.body.text == "body")
    #expect(client.counts.failed == 1)
    #expect(client.counts.underWay == 0)
    await client.shutdown()
  }

  @Test func `Checks run in order, off the worker, on the response that is the end`() async throws {
    let server = try LoopbackServer { _ in
      .status(503, headers: ["Content-Type: image/png"])
    }
    defer { server.close() }
    let client = HTTPClient()
    let order = AsyncStream<String>.makeStream()
    let request = patient(
      url: server.url(), retries: .soon,
      validations: [
        .contentType("image/*"), .status(in: [503]),
        ResponseValidation { _ in
          // On the worker this would wait for itself for ever.
          let all = DispatchSemaphore(value: 0)
          Task {
            await client.cancelAll()
            all.signal()
          }
          all.wait()
          order.continuation.yield("checked")
          order.continuation.finish()
        },
      ])
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .cancelled)
    var checks: [String] = []
    for await check in order.stream { checks.append(check) }
    #expect(checks == ["checked"])
    #expect(server.targets.count == 3)
    await client.shutdown()
  }

  @Test func `A refused response leaves no file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .ok("<html>", headers: ["Content-Type: text/html"]) }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          url: server.url(), destination: .file(path: folder["file"]),
          validations: [.contentType("image/*")]))
    }
    #expect(error?.code == .unacceptable)
    #expect(try folder.names == [])
    await client.shutdown()
  }
}
