import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A package that uses the library from outside, with its programs run against a loopback server.
@Suite struct ConsumerTests {
  private static let size = 1_000_000
  private static let tag = "ETag: \"v1\""

  @Test func `A package that imports QueuedHTTP alone fetches no more, and its programs work`()
    async throws
  {
    let folder = try await ConsumerPackage.build("Tests/Consumer", traits: .none)
    let resolved = try folder.text(of: "Package.resolved").lowercased()
    #expect(resolved.contains("swift-collections"))
    for name in ["flyingfox", "swift-argument-parser", "swift-docc-plugin", "swift-log"] {
      #expect(!resolved.contains(name))
    }
    let server = try LoopbackServer(script())
    defer { server.close() }
    let consumer = Program(path: folder[".build/debug/consumer"])
    for (name, output) in Self.outputs {
      let ended = try await consumer.run(
        [name, server.url(""), folder["file of \(name)"]], in: folder)
      #expect(ended.output == output, "\(name): \(ended.errors)")
    }
    #expect(
      server.targets.filter { $0.hasPrefix("/priority") } == [
        "/priority/high", "/priority/normal", "/priority/low",
      ])
    #expect(server.seen.mostAtOnce <= 12)
    try await resume(consumer, server, folder)
    try await upload(consumer, folder)
  }

  @Test func `The observers of the package traits record each request`() async throws {
    let folder = try await ConsumerPackage.build("Tests/Observers", traits: .observers)
    let requests = Shared(Atomic<Int>(0))
    // Every other request is answered with 503.
    let server = try LoopbackServer { _ in
      requests.value.add(1, ordering: .relaxed).newValue.isMultiple(of: 2) ? .ok() : .status(503)
    }
    defer { server.close() }
    let ended = try await Program(path: folder[".build/debug/observers"]).run(
      [server.url("")], in: folder)
    let expected = [
      "failed: bad request", "trace, request queued", "trace, request started, attempt 1",
      "trace, request connected", "debug, request retried, reason status 503",
      "trace, request started, attempt 2", "trace, request connected",
      "debug, request finished, status 200",
      "warning, request failed, reason the address is malformed",
      "failed: bad request", "http_client_requests 2", "http_client_retries 1",
      "http_client_connections 2",
      "failed: bad request", "span GET, status 200, retries 1",
      "span GET, status none, retries none", "injections 2",
    ]
    #expect(ended.lines == expected, "\(ended.errors)")
  }

  /// What each program prints, but for those with tests of their own below.
  private static let outputs = [
    ("get", "200 true HTTP/1.1 text\n"),
    ("json", "hello 3\n"),
    ("form", "user=a%20b&text=c%26d\n"),
    ("post", "200 2\n"),
    ("proxy", "http://service.invalid/proxied\n"),
    ("validation", "unacceptable - content type text/plain, expected application/json\n"),
    ("deadline", "deadline - not finished within its deadline of 100 ms\n"),
    ("lines", "one\ntwo\n"),
    ("cached", "network news 1\nstale news 1\nnetwork news 2\n"),
    ("cancel", "10 200\n"),
    ("lanes", "1000 1000\n"),
    ("priorities", "200\n200\n200\n"),
    ("callback", "text\n"),
  ]

  private func script() -> LoopbackServer.Script {
    let news = Shared(Atomic<Int>(0))
    let posts = Shared(Atomic<Int>(0))
    return { request in
      switch request.target {
      case "/text": return .ok("text", headers: ["Content-Type: text/plain"])
      case "/echo": return .status(200, request.body)
      case "/never": return .stall
      case "/sometimes":
        return posts.value.add(1, ordering: .relaxed).newValue == 1 ? .status(503) : .ok()
      case "/news":
        let number = news.value.add(1, ordering: .relaxed).newValue
        return .ok("news \(number)", headers: ["Cache-Control: max-age=0"])
      case "/events":
        return .ok(
          "event: a\ndata: one\n\nevent: b\r\ndata: two\r\n\r\n",
          headers: ["Content-Type: text/event-stream"])
      case "/file": return Self.file(from: request.header("Range"))
      case _ where request.target.hasPrefix("http:"): return .ok(request.target)
      default: return .ok()
      }
    }
  }

  /// The first 600,000 bytes of a file and then nothing, or the rest that is asked for.
  private static func file(from range: String?) -> Answer {
    guard let start = range.flatMap({ Int($0.dropFirst("bytes=".count).dropLast()) }) else {
      return .rawThenStall(
        Answer.head(200, ["Content-Length: \(size)", tag]) + bytes[..<600_000])
    }
    return .status(
      206, Array(bytes[start...]),
      headers: ["Content-Range: bytes \(start)-\(size - 1)/\(size)", tag])
  }

  private static let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 251) }

  /// A download that is killed goes on where it was.
  private func resume(_ consumer: Program, _ server: LoopbackServer, _ folder: Folder) async throws
  {
    let arguments = ["download", server.url(""), folder["download"]]
    let first = try consumer.start(arguments, in: folder)
    func received() throws -> Int {
      let lines = try first.output.split(separator: "\n").filter { $0.hasPrefix("received ") }
      return lines.last.flatMap { Int($0.dropFirst("received ".count)) } ?? 0
    }
    while try received() < 500_000, first.isRunning { usleep(2_000) }
    first.send(SIGKILL)
    #expect(try await first.ended().signal == SIGKILL)
    #expect(!FileManager.default.fileExists(atPath: folder["download"]))
    let second = try await consumer.run(arguments, in: folder)
    #expect(second.lines.last == "done 206")
    #expect(try Data(contentsOf: folder.url.appending(path: "download")) == Data(Self.bytes))
    let range = try #require(server.seen.requests.last?.header("Range"))
    #expect(try #require(Int(range.dropFirst("bytes=".count).dropLast())) >= 400_000)
  }

  /// A form with a file of 1 GiB takes little memory.
  private func upload(_ consumer: Program, _ folder: Folder) async throws {
    let sink = try Listener { wire in
      guard let head = wire.readHead(), let request = ReceivedRequest(head: head.dropLast(4)),
        var left = request.header("Content-Length").flatMap({ Int($0) })
      else { return }
      while left > 0, let bytes = wire.readSome() { left -= bytes.count }
      wire.write(Answer.head(200, ["Content-Length: 5"]) + Array("whole".utf8))
    }
    defer { sink.close() }
    try folder.write("", to: "large")
    #expect(truncate(folder["large"], 1 << 30) == 0)
    let ended = try await consumer.run(
      ["upload", "http://127.0.0.1:\(sink.port)", folder["large"]], in: folder)
    let words = ended.output.split(whereSeparator: \.isWhitespace)
    try #require(words.count == 2, "\(ended.output)\(ended.errors)")
    #expect(words[0] == "whole")
    #expect(try #require(Int(words[1])) < 128)
  }
}
