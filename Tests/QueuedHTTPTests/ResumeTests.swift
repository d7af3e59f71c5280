import Foundation
import Glibc
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct ResumeTests {
  private let whole = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

  /// Breaks off each whole answer in the middle, and answers requests for the rest with `rest`.
  private func server(
    _ rest: @escaping @Sendable (_ from: Int) -> Answer
  ) throws -> LoopbackServer {
    let whole = whole
    return try LoopbackServer { request in
      guard let from = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
        return .rawThenClose(
          Answer.head(200, ["Content-Length: 1000", "ETag: \"a\""]) + whole[..<500])
      }
      return rest(from)
    }
  }

  private func request(_ url: String, _ path: String, retries: RetryPolicy = .never) -> HTTPRequest
  {
    patient(url: url, retries: retries, destination: .file(path: path, resumes: true))
  }

  @Test func `A short partial response is not complete, and the rest is downloaded`()
    async throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try server { from in
      let end = min(from + 250, 1_000)
      return .status(
        206, Array(whole[from..<end]),
        headers: ["ETag: \"a\"", "Content-Range: bytes \(from)-\(end - 1)/1000"])
    }
    defer { server.close() }
    let client = HTTPClient()
    for count in 0..<2 {
      let error = await #expect(throws: HTTPError.self) {
        _ = try await client.send(request(server.url(), folder["file"]))
      }
      #expect(error?.code == .brokenAnswer)
      #expect(folder.bytes(of: ".file.part")?.count == 500 + count * 250)
      #expect(folder.bytes(of: "file") == nil)
    }
    _ = try await client.send(request(server.url(), folder["file"]))
    #expect(try folder.names == ["file"])
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }

  @Test func `The progress of a download that is resumed is that of the whole`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try server { from in
      .status(
        206, Array(whole[from...]),
        headers: ["ETag: \"a\"", "Content-Range: bytes \(from)-999/1000"])
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try? await client.send(request(server.url(), folder["file"]))
    let told = Shared(Mutex<[TransferProgress]>([]))
    _ = try await client.send(request(server.url(), folder["file"])) { progress in
      told.value.withLock { $0.append(progress) }
    }
    let steps = told.value.withLock { $0 }
    #expect(steps.allSatisfy { $0.received > 500 && $0.expected == 1_000 })
    #expect(steps.last?.percent == 100)
    await client.shutdown()
  }

  @Test func `A part of an impossible length is refused, whatever progress was reported`()
    async throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server { from in
      // The beginning of a gzip stream, of which nothing is decoded.
      .rawThenClose(
        Answer.head(
          206,
          [
            "Content-Length: \(Int64.max)", "Content-Encoding: gzip",
            "Content-Range: bytes \(from)-999/1000",
          ]) + [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try? await client.send(request(server.url(), folder["file"]))
    let told = Shared(Mutex<[TransferProgress]>([]))
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.send(request(server.url(), folder["file"])) { progress in
        told.value.withLock { $0.append(progress) }
      }
    }
    #expect(error?.code == .brokenAnswer)
    let steps = told.value.withLock { $0 }
    #expect(!steps.isEmpty && steps.allSatisfy { $0.expected == nil })
    await client.shutdown()
  }

  @Test(arguments: [
    // Another total, no total, an end that is not the last byte's, another start, and no sense.
    ("bytes 500-999/1001", 500), ("bytes 500-999/*", 500), ("bytes 500-998/1000", 500),
    ("bytes 400-999/1000", 600), ("bytes 500-999/1000", 400), ("bytes 999-500/1000", 500),
    ("bytes", 500),
  ])
  func `A part whose range does not fit is refused`(range: String, count: Int) async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let server = try server { _ in
      .status(
        206, [UInt8](repeating: 1, count: count),
        headers: ["ETag: \"a\"", "Content-Range: \(range)"])
    }
    defer { server.close() }
    let client = HTTPClient()
    for _ in 0..<2 {
      let error = await #expect(throws: HTTPError.self) {
        _ = try await client.send(request(server.url(), folder["file"]))
      }
      #expect(error?.code == .brokenAnswer)
      #expect(folder.bytes(of: "file") == nil)
    }
    await client.shutdown()
  }

  @Test func `A part with another validator is refused`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try server { from in
      .status(
        206, Array(whole[from...]),
        headers: ["ETag: \"b\"", "Content-Range: bytes \(from)-999/1000"])
    }
    defer { server.close() }
    let client = HTTPClient()
    for _ in 0..<2 {
      let error = await #expect(throws: HTTPError.self) {
        _ = try await client.send(request(server.url(), folder["file"]))
      }
      #expect(error?.code == .brokenAnswer)
    }
    #expect(try folder.names == [])
    await client.shutdown()
  }

  @Test func `What came of one address is not gone on with from another`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let other = [UInt8](repeating: 7, count: 1_000)
    let whole = whole
    let server = try LoopbackServer { request in
      if request.target == "/other" {
        guard let from = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
          return .status(200, other, headers: ["ETag: \"a\""])
        }
        return .status(
          206, Array(other[from...]),
          headers: ["ETag: \"a\"", "Content-Range: bytes \(from)-999/1000"])
      }
      return .rawThenClose(
        Answer.head(200, ["Content-Length: 1000", "ETag: \"a\""]) + whole[..<500])
    }
    defer { server.close() }
    let client = HTTPClient()
    _ = try? await client.send(request(server.url("/one"), folder["file"]))
    #expect(try folder.names == [".file.part", ".file.part.of"])
    _ = try await client.send(request(server.url("/other"), folder["file"]))
    #expect(server.seen.requests.last?.header("Range") == nil)
    #expect(folder.bytes(of: "file") == other)
    #expect(try folder.names == ["file"])
    await client.shutdown()
  }

  @Test func `The old file's mode stays, and its part is no more open than it`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try server { from in
      .status(
        206, Array(whole[from...]),
        headers: ["ETag: \"a\"", "Content-Range: bytes \(from)-999/1000"])
    }
    defer { server.close() }
    try folder.write([1], to: "file")
    chmod(folder["file"], 0o600)
    func mode(_ name: String) -> mode_t {
      var status = stat()
      return lstat(folder[name], &status) == 0 ? status.st_mode & 0o7777 : 0
    }
    let client = HTTPClient()
    _ = try? await client.send(request(server.url(), folder["file"]))
    #expect(mode(".file.part") == 0o600)
    _ = try await client.send(request(server.url(), folder["file"]))
    #expect(mode("file") == 0o600)
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }

  @Test func `A symbolic link stays, and its target is replaced`() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let whole = whole
    let server = try server { from in
      .status(
        206, Array(whole[from...]),
        headers: ["ETag: \"a\"", "Content-Range: bytes \(from)-999/1000"])
    }
    defer { server.close() }
    try folder.write([1], to: "file")
    symlink("file", folder["link"])
    let client = HTTPClient()
    for _ in 0..<2 { _ = try? await client.send(request(server.url(), folder["link"])) }
    #expect(try folder.names == ["file", "link"])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"]) == "file")
    #expect(folder.bytes(of: "file") == whole)
    await client.shutdown()
  }
}
