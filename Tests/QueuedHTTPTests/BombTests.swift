import Glibc
import Synchronization
import TestSupport
import Testing

@testable import QueuedHTTP

/// Small answers that unpack to a lot, or to nothing for a long time.
@Suite struct BombTests {
  /// 2,500 gzip members that hold nothing, in 169 bytes.
  private static let emptyMembers = Compressor.compress(
    Array(repeatElement(Compressor.emptyMember, count: 2_500).joined()))

  /// Runs work on a thread with a stack of 256 KiB.
  private func onSmallStack(_ work: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 256 << 10)
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Shared(Mutex(work)))
    let code = pthread_create(
      &thread, &attributes,
      { user in
        guard let user else { return nil }
        let job = Unmanaged<Shared<Mutex<@Sendable () -> Void>>>.fromOpaque(user)
          .takeRetainedValue()
        job.value.withLock { $0 }()
        return nil
      }, job.toOpaque())
    #expect(code == 0)
    pthread_join(thread, nil)
  }

  @Test func `Members that hold nothing do not fill the stack`() async throws {
    await #expect(processExitsWith: .success) {
      let tests = BombTests()
      tests.onSmallStack {
        for (headers, bytes) in [
          ("gzip, gzip", BombTests.emptyMembers),
          ("gzip", Array(repeatElement(Compressor.emptyMember, count: 60_000).joined())),
        ] {
          let decoded = try? BombTests.decode(bytes, headers)
          precondition(decoded == [])
        }
      }
      exit(0)
    }
  }

  /// Decodes a body as the transfer does.
  private static func decode(_ bytes: [UInt8], _ codings: String) throws -> [UInt8] {
    guard let decoder = try ContentDecoder(["Content-Encoding": codings], bound: .max) else {
      return bytes
    }
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while true {
      let before = decoded.count
      var budget = ContentDecoder.slice
      let taken = try rest.withUnsafeBytes { rest in
        try decoder.decode(rest, budget: &budget) { piece throws(HTTPError) in
          decoded += piece
          return true
        }
      }
      precondition(decoded.count - before <= ContentDecoder.slice + ContentDecoder.piece)
      rest = rest.dropFirst(taken.consumed)
      if taken.isDone { break }
    }
    try decoder.finish()
    return decoded
  }

  @Test func `A body is the same in one piece and in many, and comes out in slices`() throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1_000) }
    let once = Compressor.compress(body)
    #expect(try Self.decode(once, "gzip") == body)
    #expect(try Self.decode(Compressor.compress(once), "gzip, gzip") == body)
    #expect(try Self.decode(Compressor.compress(once, as: .zlib), "gzip, deflate") == body)
    #expect(try Self.decode(Compressor.compress(body, as: .rawDeflate), "deflate") == body)
  }

  @Test(arguments: ["gzip", "gzip, gzip"])
  func `A reader that wants no more gets no more until it asks again`(codings: String) throws {
    let once = Compressor.compress((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1_000) })
    let body = codings == "gzip" ? once : Compressor.compress(once)
    let decoder = try #require(
      try ContentDecoder(["Content-Encoding": codings], bound: .max))
    var taken = 0
    for pieces in 1...3 {
      var (count, budget) = (0, Int.max)
      let progress = try body[taken...].withUnsafeBytes { rest in
        try decoder.decode(rest, budget: &budget) { _ throws(HTTPError) in
          count += 1
          return count < pieces
        }
      }
      #expect(count == pieces && !progress.isDone)
      taken += progress.consumed
    }
  }

  @Test func `What an inner layer puts out counts against the bound of the body`() async throws {
    // Half a gigabyte of members that hold nothing.
    let members = Array(repeatElement(Compressor.emptyMember, count: 50_000).joined())
    let (head, part) = Compressor.endless(members)
    let server = try LoopbackServer { _ in
      .rawThenRepeat(Answer.head(200, ["Content-Encoding: gzip, gzip"]) + head, part)
    }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          url: server.url(), retries: .never, bounds: ResponseBounds(bodyBytes: 3_000_000)))
    }
    #expect(error?.code == .tooLarge)
    await client.shutdown()
  }

  @Test func `What follows a stream as padding counts against the bound of the body`() async throws
  {
    let server = try LoopbackServer { _ in
      .rawThenRepeat(
        Answer.head(200, ["Content-Encoding: gzip"]) + Compressor.compress([1]),
        [UInt8](repeating: 0, count: 10_000))
    }
    defer { server.close() }
    let client = HTTPClient()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(url: server.url(), retries: .never, bounds: ResponseBounds(bodyBytes: 100_000)))
    }
    #expect(error?.code == .tooLarge)
    await client.shutdown()
  }

  @Test func `A stream that nobody reads stops decoding`() async throws {
    let server = try LoopbackServer { _ in
      .rawThenStall(Answer.head(200, ["Content-Encoding: gzip, gzip"]) + GzipBomb.nested)
    }
    defer { server.close() }
    let other = try LoopbackServer { _ in .ok("fine") }
    defer { other.close() }
    let client = HTTPClient()
    let streamed = try await client.stream(patient(url: server.url()))
    for _ in 0..<20 {
      #expect(try await client.send(patient(url: other.url())).body.text == "fine")
    }
    #expect(client.core.progress.bytesReceived < 2 << 20)
    // And it continues for whoever reads.
    var count = 0
    for try await piece in streamed.body {
      count += piece.count
      if count > 20 << 20 { break }
    }
    #expect(count > 20 << 20)
    await client.shutdown()
  }

  @Test(arguments: [1, 3])
  func `While endless answers are decoded, others are answered and all can be canceled`(
    count: Int
  ) async throws {
    let members = Array(repeatElement(Compressor.emptyMember, count: 50_000).joined())
    let (head, part) = Compressor.endless(members)
    let server = try LoopbackServer { _ in
      .rawThenRepeat(Answer.head(200, ["Content-Encoding: gzip, gzip"]) + head, part)
    }
    defer { server.close() }
    let other = try LoopbackServer { _ in .ok("fine") }
    defer { other.close() }
    var configuration = HTTPClient.Configuration()
    configuration.concurrency = 64
    configuration.perLane = 64
    let client = HTTPClient(configuration: configuration)
    let ends = Ends()
    for _ in 0..<count {
      client.enqueue(
        patient(url: server.url(), retries: .never, bounds: ResponseBounds(bodyBytes: .max)),
        on: ends.queue, completion: ends.take)
    }
    await server.arrived(count)
    for _ in 0..<20 {
      #expect(try await client.send(patient(url: other.url())).body.text == "fine")
    }
    // A timeout of an endless answer comes due, too.
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(
        patient(
          url: server.url(),
          timeouts: Timeouts(connect: nil, idle: nil, total: .milliseconds(100)), retries: .never,
          bounds: ResponseBounds(bodyBytes: .max)))
    }
    #expect(error?.code == .totalTimeout)
    #expect(ends.results.isEmpty)
    await client.cancelAll()
    await ends.reached(count)
    #expect(ends.codes == [HTTPError.Code](repeating: .cancelled, count: count))
    await client.shutdown()
  }

  /// Ten kinds of answers that take long to decode: how each begins, and what follows without an end.
  private static let bombs: [(coding: String, head: [UInt8], part: [UInt8])] = {
    let zeros = [UInt8](repeating: 0, count: 16 << 20)
    let members = Array(repeatElement(Compressor.emptyMember, count: 50_000).joined())
    let (gzipHead, gzipPart) = Compressor.endless(zeros)
    let (memberHead, memberPart) = Compressor.endless(members)
    let (nestedHead, nestedPart) = Compressor.endless(gzipPart)
    let nothing = Compressor.compress([])
    return [
      ("gzip", gzipHead, gzipPart), ("x-gzip", gzipHead, gzipPart), ("gzip", [], nothing),
      ("gzip, gzip", memberHead, memberPart), ("gzip, gzip", GzipBomb.nested, GzipBomb.nested),
      ("deflate", Compressor.compress(zeros, as: .zlib), zeros),
      ("deflate", Compressor.compress(zeros, as: .rawDeflate), zeros),
      ("gzip, gzip", nestedHead + Compressor.compress(gzipHead), nestedPart),
      ("deflate, gzip", Compressor.compress(Compressor.compress(zeros, as: .zlib)), members),
      ("gzip", emptyMembers, Array(repeatElement(Compressor.compress(zeros), count: 4).joined())),
    ]
  }()

  /// True in `make soak`: the figures mean nothing on a machine that does something else as well.
  private static let isMeasured = getenv("MEASURED_BOMBS") != nil

  @Test(.enabled(if: isMeasured), .timeLimit(.minutes(10)))
  func `Ten kinds of bombs keep nobody waiting, and take little memory`() async {
    let ended = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let bombs = BombTests.bombs
      let server = try LoopbackServer { request in
        let bomb = bombs[(Int(request.target.dropFirst()) ?? 0) % bombs.count]
        return .rawThenRepeat(
          Answer.head(200, ["Content-Encoding: \(bomb.coding)"]) + bomb.head, bomb.part)
      }
      let other = try LoopbackServer { _ in .ok("fine") }
      let clock = ContinuousClock()
      let first = HTTPClient()
      _ = try await first.send(patient(url: other.url()))
      await first.shutdown()
      // Making the bombs took more than decoding them does.
      try OpenResources.forgetMostMemory()
      let before = try OpenResources.mostMemory()
      for index in bombs.indices {
        var slowest = Duration.zero
        var ends: [Duration] = []
        for isShutDown in [false, true] {
          let client = HTTPClient()
          let reading = Task {
            for try await _ in try await client.stream(
              patient(url: server.url("/\(index)"), retries: .never)
            ).body {}
          }
          for _ in 0..<50 {
            let request = patient(
              url: other.url(), timeouts: Timeouts(connect: nil, idle: nil, total: .seconds(1)),
              retries: .never)
            slowest = max(slowest, try await clock.measure { _ = try await client.send(request) })
          }
          ends.append(
            await clock.measure {
              if isShutDown { await client.shutdown() } else { await client.cancelAll() }
            })
          _ = await reading.result
          await client.shutdown()
        }
        let memory = try OpenResources.mostMemory() - before
        let isWithin =
          slowest < .milliseconds(50) && ends.allSatisfy { $0 < .milliseconds(100) }
          && memory < 64 << 20
        print(
          "bomb \(index + 1): others took at most \(slowest), cancelAll() \(ends[0]), "
            + "shutdown() \(ends[1]), \(memory >> 20) MiB more\(isWithin ? "" : ": too much")")
      }
      exit(0)
    }
    let figures = String(decoding: ended?.standardOutputContent ?? [], as: UTF8.self)
    print(figures)
    #expect(figures.contains("bomb 10:"))
    #expect(!figures.contains("too much"), "bars: 50 ms, 100 ms, 100 ms, 64 MiB\n\(figures)")
  }
}
