import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct DownloadTests {
  private let whole = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

  @Test func `A file gets its name when the body is complete`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let gate = Gate()
    let server = try LoopbackServer { [whole] _ in
      .pieces([Answer.head(200, ["Content-Length: 5000"]), whole], gate)
    }
    defer { server.close() }
    try folder.write([1], to: "file")
    let client = HTTPClient()
    let request = patient(url: server.url(), destination: .file(path: folder["file"]))
    async let response = client.send(request)
    await server.arrived(1)
    #expect(folder.bytes(of: "file") == [1])
    gate.open()
    #expect(try await response.status == 200)
    #expect(try await response.body.count == 0)
    #expect(try await response.timings.bytesDecoded == 5000)
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }

  @Test func `A body that breaks off leaves nothing`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .cut(said: 5000, sent: 1024) }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          url: server.url(), retries: .soon, destination: .file(path: folder["file"])))
    }
    #expect(error?.code == .brokenAnswer)
    #expect(server.targets.count == 3)
    #expect(try folder.names == [])
    await client.shutdown()
  }

  @Test func `A canceled download leaves no file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let gate = Gate()
    let piece = [UInt8](repeating: 120, count: 1024)
    let server = try LoopbackServer { _ in
      .pieces([Answer.head(200, ["Content-Length: 5000"]), piece, piece], gate)
    }
    defer { server.close() }
    let client = HTTPClient()
    let ends = Ends()
    let told = AsyncStream<Void>.makeStream()
    let operation = client.enqueue(
      patient(url: server.url(), destination: .file(path: folder["file"])),
      progress: { _ in told.continuation.yield() }, on: ends.queue, completion: ends.take)
    gate.open(2)
    for await _ in told.stream { break }
    #expect(try folder.names.count == 1)
    operation.cancel()
    await client.cancelAll()
    #expect(try folder.names == [])
    gate.open()
    await client.shutdown()
    await ends.reached(1)
    #expect(ends.codes == [.cancelled])
  }

  @Test func `Only the body of a successful response goes into the file`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { request in
      request.target == "/empty" ? .ok() : .status(404, Array("not here".utf8))
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(
      patient(url: server.url(), destination: .file(path: folder["file"])))
    #expect(response.status == 404)
    #expect(response.body.text == "not here")
    #expect(try folder.names == [])
    _ = try await client.send(
      patient(url: server.url("/empty"), destination: .file(path: folder["file"])))
    #expect(folder.bytes(of: "file") == [])
    await client.shutdown()
  }

  @Test(arguments: [true, false])
  func `A file that cannot be written is an error of its own`(resumes: Bool) async throws {
    let server = try LoopbackServer { _ in .ok("x") }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(url: server.url(), destination: .file(path: "/no/such/folder", resumes: resumes)))
    }
    #expect(error?.code == .file)
    #expect(error?.reason.hasPrefix("/no/such/folder: ") == true)
    #expect(server.targets.count == 1)
    await client.shutdown()
  }

  /// Breaks off the first answer in the middle, and has ranges.
  private func server(tags: [String]) throws -> LoopbackServer {
    let whole = whole
    let asked = Shared(Atomic<Int>(0))
    return try LoopbackServer { request in
      let count = request.target == "/1" ? 1 : asked.value.add(1, ordering: .relaxed).oldValue
      let tag = tags[min(count, tags.count - 1)]
      let from = request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
      if count == 0 {
        return .rawThenClose(
          Answer.head(200, ["Content-Length: 5000", "ETag: \(tag)"]) + whole[..<1_000])
      }
      guard from > 0, request.header("If-Range") == tag else {
        return .status(200, whole, headers: ["ETag: \(tag)"])
      }
      guard from < 5_000 else { return .status(416) }
      return .status(
        206, Array(whole[from...]),
        headers: ["ETag: \(tag)", "Content-Range: bytes \(from)-4999/5000"])
    }
  }

  private func download(_ server: LoopbackServer, _ folder: Folder) async throws
    -> [Result<HTTPResponse, HTTPError>]
  {
    let client = HTTPClient()
    var results: [Result<HTTPResponse, HTTPError>] = []
    for count in 0..<2 {
      do throws(HTTPError) {
        let request = patient(
          url: server.url(), retries: .never,
          destination: .file(path: folder["file"], resumes: true))
        results.append(.success(try await client.send(request)))
      } catch { results.append(.failure(error)) }
      if count == 0 { #expect(try folder.names == [".file.part", ".file.part.of"]) }
    }
    await client.shutdown()
    return results
  }

  @Test func `A partial file is kept if requested, and only the rest is downloaded`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server(tags: ["\"a\""])
    defer { server.close() }
    let results = try await download(server, folder)
    #expect(try results[1].get().status == 206)
    #expect(server.seen.requests[1].header("Range") == "bytes=1000-")
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
  }

  @Test func `A part of what has changed since is thrown away`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server(tags: ["\"a\"", "\"b\""])
    defer { server.close() }
    let results = try await download(server, folder)
    #expect(try results[1].get().status == 200)
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
  }

  @Test func `A part that is longer than the complete file is removed`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server(tags: ["\"a\""])
    defer { server.close() }
    try folder.write([UInt8](repeating: 0, count: 6_000), to: ".file.part")
    try folder.write(
      Array("part 2\n\(server.url("/1"))\n\"a\"\n5000\n".utf8), to: ".file.part.of")
    let client = HTTPClient()
    let response = try await client.send(
      patient(
        url: server.url("/1"), destination: .file(path: folder["file"], resumes: true)))
    #expect(response.status == 200)
    #expect(server.seen.requests.map { $0.header("Range") } == ["bytes=6000-", nil])
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }

  @Test func `Another attempt of the same request fetches only the rest`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try LoopbackServer { request in
      guard let from = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
        return .rawThenClose(
          Answer.head(200, ["Content-Length: 5000", "ETag: \"a\""]) + whole[..<1_000])
      }
      return .status(
        206, Array(whole[from...]), headers: ["Content-Range: bytes \(from)-4999/5000"])
    }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(
      patient(
        url: server.url(), retries: .soon,
        destination: .file(path: folder["file"], resumes: true)))
    #expect(response.timings.attempts == 2)
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }

  @Test func `A part without a validator is not kept`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .cut(said: 5000, sent: 1024) }
    defer { server.close() }
    let client = HTTPClient()
    _ = try? await client.send(
      patient(
        url: server.url(), retries: .never,
        destination: .file(path: folder["file"], resumes: true)))
    #expect(try folder.names == [])
    await client.shutdown()
  }
}
