import TestSupport
import Testing

@testable import QueuedHTTP

/// Limits that nobody set suit the place that a body goes to.
@Suite struct DefaultBoundsTests {
  private static let size = 65 << 20

  private func server() throws -> LoopbackServer {
    let chunk = [UInt8](repeating: 120, count: 1 << 20)
    return try LoopbackServer { request in
      let isRefused = request.target == "/refused"
      return .pieces(
        [Answer.head(isRefused ? 404 : 200, ["Content-Length: \(Self.size)"])]
          + Array(repeating: chunk, count: Self.size >> 20), Gate(passes: 1 << 40))
    }
  }

  @Test func `A file and a stream take more than memory may`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    var request = patient(url: server.url(), destination: .file(path: folder["a"]))
    #expect(try await client.send(request).status == 200)
    #expect(folder.bytes(of: "a")?.count == Self.size)
    var count = 0
    for try await piece in try await client.stream(request).body { count += piece.count }
    #expect(count == Self.size)
    request.bounds.bodyBytes = 1000
    await expectTooLarge(client, request, "body larger than 1,000 bytes")
    await client.shutdown()
  }

  @Test func `Memory is bounded, even for a response that does not go into a file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server()
    defer { server.close() }
    let client = HTTPClient()
    await expectTooLarge(client, patient(url: server.url()), "body larger than 64 MiB")
    let refused = patient(url: server.url("/refused"), destination: .file(path: folder["a"]))
    await expectTooLarge(client, refused, "body larger than 64 MiB")
    #expect(try folder.names == [])
    await client.shutdown()
  }

  private func expectTooLarge(
    _ client: HTTPClient, _ request: HTTPRequest, _ reason: String
  ) async {
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.code == .tooLarge)
    #expect(error?.reason == reason)
  }

  @Test func `A total timeout that was not set ends no download`() {
    #expect(Timeouts().total(inMemory: true) == .seconds(60))
    #expect(Timeouts().total(inMemory: false) == nil)
    #expect(Timeouts(total: .seconds(5)).total(inMemory: false) == .seconds(5))
    #expect(Timeouts(total: nil).total(inMemory: true) == nil)
    var timeouts = Timeouts()
    timeouts.total = .seconds(60)
    #expect(timeouts.total(inMemory: false) == .seconds(60))
  }
}
