import Foundation
import QueuedHTTP
import TestSupport
import Testing

/// No response is a success unless all of it has arrived.
@Suite struct WholeResponseTests {
  /// 100 unless the environment names another number, as `make soak` does.
  private static var count: Int {
    ProcessInfo.processInfo.environment["CUT_RESPONSES"].flatMap { Int($0) } ?? 100
  }

  private func outcome(
    _ request: HTTPRequest, _ client: HTTPClient
  ) async -> Result<[UInt8], HTTPError> {
    do throws(HTTPError) {
      return .success(try await client.send(request).body.withUnsafeBytes { Array($0) })
    } catch { return .failure(error) }
  }

  private func check(_ result: Result<[UInt8], HTTPError>, _ number: Int, _ cut: CutResponse) {
    switch result {
    case .success(let body):
      #expect(cut.mayBeWhole, "response \(number), cut at \(cut.count)")
      #expect(body == cut.body, "response \(number)")
    case .failure(let error):
      #expect(!cut.isWhole, "response \(number): \(error)")
      #expect([.brokenAnswer, .connection].contains(error.code), "response \(number): \(error)")
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `No response over HTTP/1.1 that is cut anywhere is a success`() async throws {
    let server = try LoopbackServer { request in
      .rawThenClose(CutResponse(number: Int(request.target.dropFirst()) ?? 0).sent)
    }
    defer { server.close() }
    let client = HTTPClient()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.count {
        if number >= 16 { await group.next() }
        group.addTask {
          let request = patient(url: server.url("/\(number)"), retries: .never)
          check(await outcome(request, client), number, CutResponse(number: number))
        }
      }
    }
    await client.shutdown()
  }

  @Test(.timeLimit(.minutes(30)))
  func `No response over HTTP/2 that is cut anywhere is a success`() async throws {
    let server = try HTTP2Server { request in
      let number = Int(String(decoding: request.body, as: UTF8.self)) ?? 0
      let cut = CutResponse(number: number)
      let fields = cut.fields.map { $0.split(separator: ":", maxSplits: 1) }
        .map { (String($0[0]).lowercased(), String($0[1].dropFirst())) }
        .filter { $0.0 != "transfer-encoding" }
      if cut.isWhole { return HTTP2Step.ok(cut.encoded, fields) }
      let part = cut.encoded.isEmpty ? 0 : cut.count % cut.encoded.count
      let ends: [HTTP2Step] =
        switch number % 3 {
        case 0: [.settle, .resetStream(2)]
        // An end that is early by the length or by the encoding; otherwise nobody could know.
        case 1 where !fields.isEmpty && part > 0 && part < cut.encoded.count:
          [.frame(.data, flags: HTTP2Frame.endStream, [])]
        default: [.settle, .close]
        }
      let body = part > 0 ? [HTTP2Step.data(Array(cut.encoded[..<part]))] : []
      return [.status(200, fields)] + body + ends
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.httpVersion = .http2
    let client = HTTPClient(configuration: configuration)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.count {
        if number >= 16 { await group.next() }
        group.addTask {
          let request = patient(
            .post, url: server.url(), body: Array("\(number)".utf8), retries: .never)
          check(await outcome(request, client), number, CutResponse(number: number))
        }
      }
    }
    await client.shutdown()
  }

  private static let chunked =
    Answer.head(200, ["Transfer-Encoding: chunked", "X-One: 1"])
    + Array("5\r\nhello\r\n0\r\nX-Sum: 2\r\n\r\n".utf8)

  @Test(arguments: [
    Answer.head(200, ["Cache-Control: max-age=9", "Content-Length: 0"]), chunked,
    Answer.head(103, ["X: 1"]) + Answer.head(200, ["Content-Length: 2"]) + [120, 121],
    Answer.head(302, ["Location: /there", "Content-Length: 0"]),
  ])
  func `A response that is cut at any byte of its head, a chunk or a trailer is none`(
    bytes: [UInt8]
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/there"
        ? .ok("there")
        : .rawThenClose(Array(bytes[..<(Int(request.target.dropFirst()) ?? 0)]))
    }
    defer { server.close() }
    let folder = try Folder()
    defer { folder.remove() }
    try folder.write([1, 2], to: "file")
    var configuration = HTTPClient.Configuration()
    let cache = MemoryCache()
    configuration.cache = cache
    let client = HTTPClient(configuration: configuration)
    // libcurl 7.88 does not wait for the line feed after the last chunk: nothing is missing without it.
    let count = bytes == Self.chunked ? bytes.count - 1 : bytes.count
    for count in 0..<count {
      for isFile in [false, true] {
        var request = patient(
          isFile ? .get : .post, url: server.url("/\(count)"), body: isFile ? nil : [1],
          retries: .never)
        if isFile { request.destination = .file(path: folder["file"]) }
        let result = await outcome(request, client)
        guard case .failure(let error) = result else {
          Issue.record("a success after \(count) of \(bytes.count) bytes")
          continue
        }
        #expect([.brokenAnswer, .connection].contains(error.code))
        #expect(count < 21 || error.code == .brokenAnswer, "\(count): \(error)")
      }
      _ = await outcome(patient(url: server.url("/\(count)"), retries: .never), client)
    }
    #expect(folder.bytes(of: "file") == [1, 2])
    #expect(try folder.names == ["file"])
    #expect(cache.responses.isEmpty)
    #expect(!server.targets.contains("/there"))
    await client.shutdown()
  }

  @Test func `A request whose response head is cut is sent again where that is safe`() async throws
  {
    let server = try LoopbackServer { _ in
      .rawThenClose(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))
    }
    defer { server.close() }
    let client = HTTPClient()
    for method in [HTTPMethod.get, .post] {
      let error = await #expect(throws: HTTPError.self) {
        try await client.send(
          patient(method, url: server.url("/\(method.rawValue)"), retries: .soon))
      }
      #expect(error?.code == .brokenAnswer)
      #expect(error?.reason == "the response ended early, in its headers")
    }
    #expect(server.targets == ["/GET", "/GET", "/GET", "/POST"])
    await client.shutdown()
  }
}
