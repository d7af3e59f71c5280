import Foundation
import QueuedHTTP
import Synchronization
import TestSupport
import Testing

/// Many requests to a server that does something else wrong with each.
@Suite struct RandomFaultTests {
  private enum Fault: String, CaseIterable {
    case none, close, reset, halfClose, stall, headOnly, cut, cutGzip, garbage, badChunk
    case oneByteChunks, twoLengths, statusLikeField, redirect, elsewhere, busy, limited, shortPart

    func answer(_ request: ReceivedRequest, elsewhere: String) -> Answer {
      switch self {
      case .none: .ok("fine")
      case .close: .close
      case .reset: .reset
      case .halfClose: .rawThenHalfClose(Answer.head(200, ["Content-Length: 0"]))
      case .stall: .stall
      case .headOnly: .rawThenStall(Answer.head(200, ["Content-Length: 5"]))
      case .cut: .cut(said: 5_000, sent: 1_000)
      case .cutGzip:
        .status(
          200, Array(GzipBomb.mebibyte.prefix(500)), headers: ["Content-Encoding: gzip"])
      case .garbage: .garbage
      case .badChunk:
        .rawThenClose(
          Answer.head(200, ["Transfer-Encoding: chunked"]) + Array("no number\r\n".utf8))
      case .oneByteChunks: .oneByteChunks(500)
      case .twoLengths:
        .rawThenClose(Answer.head(200, ["Content-Length: 1", "Content-Length: 2"]) + [120])
      case .statusLikeField: .ok(headers: ["HTTP/1.1-Gateway: 1"])
      case .redirect: .redirect(307, to: "/none/0")
      case .elsewhere: .redirect(307, to: elsewhere)
      case .busy: .status(503)
      case .limited: .status(429, headers: ["Retry-After: 0"])
      case .shortPart:
        request.header("Range") == nil
          ? .rawThenClose(
            Answer.head(200, ["Content-Length: 1000", "ETag: \"a\""])
              + [UInt8](repeating: 1, count: 500))
          : .status(
            206, [1],
            headers: ["Content-Range: bytes 500-500/1000"])
      }
    }
  }

  /// 500 unless the environment names another number, as `make soak` does.
  private static var count: Int {
    ProcessInfo.processInfo.environment["FAULT_REQUESTS"].flatMap { Int($0) } ?? 500
  }

  @Test func `Each request ends once whatever the server does, and no POST arrives twice`()
    async throws
  {
    let folder = try Folder()
    defer { folder.remove() }
    let other = try LoopbackServer { _ in .ok("elsewhere") }
    defer { other.close() }
    let random = Shared(Mutex(SeededRandom(seed: 10)))
    let server = try LoopbackServer { request in
      // Now and then an open connection turns out to be dead, however good the request is.
      let isDead = random.value.withLock { Int.random(in: 0..<10, using: &$0) == 0 }
      if request.earlierOnConnection > 0, isDead { return .close }
      let name = request.target.split(separator: "/").first.map(String.init) ?? ""
      let fault = Fault(rawValue: name) ?? .none
      let number = request.target.split(separator: "/").last.map(String.init) ?? ""
      return fault.answer(request, elsewhere: other.url("/\(number)"))
    }
    defer { server.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 32
    configuration.perLane = 16
    let client = HTTPClient(configuration: configuration)
    let count = Self.count
    let ends = Shared(Mutex([Int](repeating: 0, count: count)))
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        let (fault, isPost, way) = random.value.withLock { random in
          (
            Fault.allCases.randomElement(using: &random) ?? .none, Bool.random(using: &random),
            Int.random(in: 0..<5, using: &random)
          )
        }
        var request = patient(
          isPost ? .post : .get, url: server.url("/\(fault.rawValue)/\(index)"),
          body: isPost ? [1, 2, 3] : nil, timeouts: Timeouts(idle: .milliseconds(200)),
          retries: RetryPolicy(firstWait: .milliseconds(1), budget: .days))
        if way == 0 || fault == .shortPart {
          request.destination = .file(path: folder["\(index)"], resumes: way % 2 == 0)
        }
        if index >= 64 { await group.next() }
        group.addTask { [request] in
          await Self.send(request, way, with: client)
          ends.value.withLock { $0[index] += 1 }
        }
      }
    }
    #expect(ends.value.withLock { $0 } == [Int](repeating: 1, count: count))
    let counts = client.counts
    #expect(counts.underWay == 0)
    #expect(counts.done + counts.failed + counts.cancelled == count)
    for each in [server, other] {
      let posts = each.seen.requests.filter { $0.method == "POST" && !$0.target.hasSuffix("/0") }
      #expect(Set(posts.map(\.target)).count == posts.count)
      #expect(posts.allSatisfy { $0.body == [1, 2, 3] })
    }
    await client.shutdown()
  }

  /// Sends a request in one of the ways that there are, and returns with its end.
  private static func send(_ request: HTTPRequest, _ way: Int, with client: HTTPClient) async {
    do throws(HTTPError) {
      switch way {
      case 1:
        for try await _ in try await client.stream(request).body {}
      case 2:
        // The continuation traps where the completion is called twice.
        let result = await withCheckedContinuation { continuation in
          let operation = client.enqueue(request, on: .global()) {
            continuation.resume(returning: $0)
          }
          if request.url.hasSuffix("7") { operation.cancel() }
        }
        _ = try result.get()
      default: _ = try await client.send(request)
      }
    } catch {
      // A fault of the server is an end like any other; each is counted by the client.
      return
    }
  }
}
