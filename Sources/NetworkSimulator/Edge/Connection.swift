internal import FlyingSocks
internal import FoundationEssentials
internal import Glibc

/// One client: reads its requests and delivers the replies, well or ill.
struct Connection {
  let socket: AsyncSocket
  let service: SimulatorService
  let clock: @Sendable () -> Int

  private static let chunk = 64 << 10
  private static let floodedHeaders = 20_000

  /// Serves until either side has had enough; the socket is closed then.
  func serve() async {
    do {
      try await serveRequests()
    } catch let malformed as RequestReader.Malformed {
      let answer = SimulatedAnswer.plain(
        "searchagg-sim: malformed request", status: malformed.status)
      await sayGoodbye(answer)
    } catch {
      // The client has left, or the simulator stops: there is nobody to tell.
    }
    do { try socket.close() } catch {
      // The descriptor is closed in any case.
    }
  }

  private func sayGoodbye(_ answer: SimulatedAnswer) async {
    do {
      try await write(head(answer, length: answer.body.count, closes: true) + answer.body)
    } catch {
      // The client did not wait for it.
    }
  }

  private func serveRequests() async throws {
    var reader = RequestReader(socket)
    var goesOn = true
    while goesOn {
      let request = try await reader.next()
      let reply = service.reply(to: request)
      if reply.latency > 0 { try await Task.sleep(for: .milliseconds(reply.latency)) }
      goesOn = try await deliver(reply, to: request)
    }
  }

  /// Returns whether the connection can take another request.
  private func deliver(_ reply: Reply, to request: SimulatedRequest) async throws -> Bool {
    let answer = reply.answer
    let body = answer.body
    let closes = request.closesConnection
    let isBare = request.isHead || answer.hasNoBody
    switch reply.delivery {
    case .whole where isBare, .flood where isBare, .padded where isBare, .bomb where isBare:
      try await write(head(answer, length: body.count, closes: closes))
    case .whole:
      try await write(
        head(answer, length: body.count, closes: closes) + body, rate: reply.bytesPerSecond)
    case .stall:
      // Reading is how one learns that a client has left.
      while true { _ = try await socket.read(atMost: 4096) }
    case .reset:
      try socket.socket.setValue(LingerOption.reset, for: LingerOption())
      return false
    case .empty:
      return false
    case .cut:
      // Of an empty body nothing can be missing.
      let length = max(body.count, 2)
      try await write(
        head(answer, length: length, closes: closes) + body.prefix(length / 2),
        rate: reply.bytesPerSecond)
      return false
    case .flood:
      try await write(head(flooded(answer), length: body.count, closes: closes) + body)
    case .padded(let count):
      try await write(padded: answer, to: count, closes: closes, rate: reply.bytesPerSecond)
    case .bomb:
      let bomb = SimulatedAnswer(
        headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
        body: GzipBomb.bytes)
      try await write(
        head(bomb, length: bomb.body.count, closes: closes) + bomb.body, rate: reply.bytesPerSecond)
    }
    return !closes
  }

  private func flooded(_ answer: SimulatedAnswer) -> SimulatedAnswer {
    var answer = answer
    answer.headers += (0..<Self.floodedHeaders).map { number in
      ("X-Flood-\(number)", String(repeating: "f", count: 64))
    }
    return answer
  }

  /// Trailing white space is still JSON; it is sent in pieces because it may be large.
  private func write(
    padded answer: SimulatedAnswer, to count: Int, closes: Bool, rate: Int?
  ) async throws {
    var rest = max(0, count - answer.body.count)
    let head = head(answer, length: answer.body.count + rest, closes: closes)
    try await write(head + answer.body, rate: rate)
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: Self.chunk)
    while rest > 0 {
      let piece = min(rest, Self.chunk)
      try await write(Array(spaces.prefix(piece)), rate: rate)
      rest -= piece
    }
  }

  private func head(_ answer: SimulatedAnswer, length: Int, closes: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(answer.status) \(ReasonPhrase.of(answer.status))\r\n"
    head += "Date: \(DateForms.http(clock()))\r\n"
    for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
    if !answer.hasNoBody { head += "Content-Length: \(length)\r\n" }
    head += "Connection: \(closes ? "close" : "keep-alive")\r\n\r\n"
    return Array(head.utf8)
  }

  /// Writes at most `rate` bytes a second, in twenty pieces a second where that many fit.
  private func write(_ bytes: [UInt8], rate: Int? = nil) async throws {
    guard let rate else { return try await socket.write(Data(bytes)) }
    let piece = max(1, rate / 20)
    let pause = Duration.microseconds(piece * 1_000_000 / rate)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try await socket.write(Data(bytes[start..<min(start + piece, bytes.count)]))
      try await Task.sleep(for: pause)
    }
  }
}

/// `SO_LINGER`: with zero seconds a close resets the connection.
struct LingerOption: SocketOption {
  let name = SO_LINGER

  func makeValue(from socketValue: linger) -> linger { socketValue }
  func makeSocketValue(from value: linger) -> linger { value }

  static let reset = linger(l_onoff: 1, l_linger: 0)
}
