import QueuedHTTP
import TestSupport
import Testing

@Suite struct ContentEncodingTests {
  private func outcome(
    _ answer: Answer, headers: HTTPHeaders = [:], retries: RetryPolicy = .never
  ) async throws -> (result: Result<HTTPResponse, HTTPError>, server: LoopbackServer.Record) {
    let server = try LoopbackServer { _ in answer }
    defer { server.close() }
    let client = HTTPClient()
    let result: Result<HTTPResponse, HTTPError>
    do throws(HTTPError) {
      result = .success(
        try await client.send(patient(url: server.url(), headers: headers, retries: retries)))
    } catch { result = .failure(error) }
    await client.shutdown()
    return (result, server.seen)
  }

  private func code(_ result: Result<HTTPResponse, HTTPError>) -> HTTPError.Code? {
    guard case .failure(let error) = result else { return nil }
    return error.code
  }

  @Test(arguments: [5, 20, 500, 1_043, 1_050])
  func `A truncated gzip stream fails even if its length is as stated`(count: Int) async throws {
    let cut = Array(GzipBomb.mebibyte.prefix(count))
    let answers: [Answer] = [
      .status(200, cut, headers: ["Content-Encoding: gzip"]),
      .rawThenClose(Answer.head(200, ["Content-Encoding: gzip"]) + cut),
    ]
    for answer in answers {
      let (result, _) = try await outcome(answer)
      #expect(code(result) == .brokenAnswer)
    }
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip", "gzip, identity"])
  func `A gzip stream is decoded under each of its names`(name: String) async throws {
    let (result, _) = try await outcome(
      .status(200, GzipBomb.mebibyte, headers: ["Content-Encoding: \(name)"]))
    #expect(try result.get().body.count == 1 << 20)
  }

  @Test func `Several gzip members are one body, and zeros after them are ignored`()
    async throws
  {
    let twice = GzipBomb.mebibyte + GzipBomb.mebibyte + [0, 0, 0]
    let (result, _) = try await outcome(
      .status(200, twice, headers: ["Content-Encoding: gzip"]))
    #expect(try result.get().body.count == 2 << 20)
  }

  @Test(arguments: [
    // "hello", by zlib and by raw deflate: servers mean either by `deflate`.
    [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06, 0x2C, 0x02, 0x15],
    [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00] as [UInt8],
  ])
  func `Deflate is decoded in both of its forms, and not when it is cut`(bytes: [UInt8])
    async throws
  {
    let fields = ["Content-Encoding: deflate"]
    let (whole, _) = try await outcome(.status(200, bytes, headers: fields))
    #expect(try whole.get().body.text == "hello")
    let (cut, _) = try await outcome(.status(200, bytes.dropLast(3), headers: fields))
    #expect(code(cut) == .brokenAnswer)
  }

  @Test func `An empty body is not a cut one`() async throws {
    let (result, _) = try await outcome(.status(200, headers: ["Content-Encoding: gzip"]))
    #expect(try result.get().body.count == 0)
  }

  @Test func `A truncated gzip stream is requested again`() async throws {
    let (result, seen) = try await outcome(
      .status(
        200, Array(GzipBomb.mebibyte.prefix(500)), headers: ["Content-Encoding: gzip"]),
      retries: .soon)
    #expect(code(result) == .brokenAnswer)
    #expect(seen.requests.count == 3)
  }

  @Test func `A response with an unknown encoding is not requested again`() async throws {
    let (result, seen) = try await outcome(
      .ok("x", headers: ["Content-Encoding: sdch"]), retries: .soon)
    #expect(code(result) == .unknownEncoding)
    #expect(seen.requests.count == 1)
  }

  @Test(arguments: ["UTF-8", "none", "8bit", "identity"])
  func `A name that is not a coding leaves the body as it is`(name: String) async throws {
    let (result, _) = try await outcome(.ok("x", headers: ["Content-Encoding: \(name)"]))
    #expect(try result.get().body.text == "x")
  }

  @Test(arguments: ["br", "zstd", "gzip, br", "br, gzip"], [0, 3])
  func `A coding that the client does not know is refused, also when the caller asked for it`(
    coding: String, count: Int
  ) async throws {
    let (result, seen) = try await outcome(
      .rawThenClose(
        Answer.head(200, ["Content-Encoding: \(coding)"]) + [UInt8](repeating: 7, count: count)),
      headers: ["Accept-Encoding": "br, zstd, gzip"], retries: .soon)
    #expect(code(result) == .unknownEncoding)
    #expect(seen.requests.map { $0.header("Accept-Encoding") } == ["br, zstd, gzip"])
  }

  @Test func `A gzip stream is checked also when the caller asked for other codings, too`()
    async throws
  {
    let (result, _) = try await outcome(
      .status(200, GzipBomb.mebibyte.dropLast(8), headers: ["Content-Encoding: gzip"]),
      headers: ["Accept-Encoding": "br, gzip"])
    #expect(code(result) == .brokenAnswer)
  }

  @Test func `Two layers are decoded, and three are not`() async throws {
    var bytes = Array("hello".utf8)
    for _ in 0..<2 { bytes = Compressor.compress(bytes) }
    let (two, _) = try await outcome(
      .status(200, bytes, headers: ["Content-Encoding: gzip", "Content-Encoding: gzip"]))
    #expect(try two.get().body.text == "hello")
    let (three, _) = try await outcome(
      .status(200, Compressor.compress(bytes), headers: ["Content-Encoding: gzip, gzip, gzip"]))
    #expect(code(three) == .unknownEncoding)
  }

  @Test func `A coding is named in the answer to HEAD, where nothing is decoded`() async throws {
    let server = try LoopbackServer { _ in .raw(Answer.head(200, ["Content-Encoding: br"])) }
    defer { server.close() }
    let client = HTTPClient()
    #expect(try await client.send(patient(.head, url: server.url())).status == 200)
    await client.shutdown()
  }

  @Test func `A range is requested without compression`()
    async throws
  {
    let (_, seen) = try await outcome(.ok("x"), headers: ["Range": "bytes=0-0"])
    #expect(seen.requests.first?.header("Accept-Encoding") == "identity")
  }

  @Test func `A resumable download has one Accept-Encoding`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try LoopbackServer { _ in .ok("x") }
    defer { server.close() }
    let client = HTTPClient()
    _ = try await client.send(
      patient(
        url: server.url(), headers: ["accept-encoding": "gzip"],
        destination: .file(path: folder["file"], resumes: true)))
    let asked = server.seen.requests.flatMap { request in
      request.headers.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value)
    }
    #expect(asked == ["identity"])
    await client.shutdown()
  }

  @Test(arguments: [true, false])
  func `An answer without content leaves the file that was there`(resumes: Bool) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write([1, 2], to: "file")
    let server = try LoopbackServer { _ in .raw(Answer.head(204, [])) }
    defer { server.close() }
    let client = HTTPClient()
    let response = try await client.send(
      patient(
        url: server.url(), destination: .file(path: folder["file"], resumes: resumes)))
    #expect(response.status == 204)
    #expect(folder.bytes(of: "file") == [1, 2])
    #expect(try folder.names == ["file"])
    await client.shutdown()
  }
}
