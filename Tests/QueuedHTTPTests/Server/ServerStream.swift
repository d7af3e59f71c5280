import Glibc

/// One connection of the loopback server, used by its thread.
final class ServerStream {
  private let connection: Int32
  private var pending: [UInt8] = []

  init(_ connection: Int32) { self.connection = connection }

  /// The next request with its body; nil when the client left.
  func nextRequest() -> ReceivedRequest? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = pending.firstRange(of: end) {
        guard var request = ReceivedRequest(head: Array(pending[..<range.lowerBound])) else {
          return nil
        }
        pending.removeSubrange(..<range.upperBound)
        // The body comes only after an answer, which may refuse it.
        if request.header("Expect") != nil { return request }
        if request.header("Transfer-Encoding") == "chunked" {
          guard let body = chunkedBody() else { return nil }
          request.body = body
          return request
        }
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while pending.count < length { guard read() else { return nil } }
        request.body = Array(pending[..<length])
        pending.removeSubrange(..<length)
        return request
      }
      guard read() else { return nil }
      // A TLS hello, which this server does not understand.
      if pending.first == 0x16 {
        _ = write(Answer.head(400, []))
        return nil
      }
    }
  }

  private func chunkedBody() -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      while !pending.contains(10) { guard read() else { return nil } }
      let line = pending.prefix { $0 != 13 && $0 != 10 }
      guard let count = Int(String(decoding: line, as: UTF8.self), radix: 16),
        let end = pending.firstIndex(of: 10)
      else { return nil }
      pending.removeSubrange(...end)
      while pending.count < count + 2 { guard read() else { return nil } }
      body += pending[..<count]
      pending.removeSubrange(..<(count + 2))
      if count == 0 { return body }
    }
  }

  /// Does what the answer says, calling `answered` before its last bytes leave; says whether the
  /// connection goes on.
  func perform(_ answer: Answer, answered: () -> Void) -> Bool {
    switch answer {
    case .after(let gate, let answer):
      gate.pass()
      return perform(answer, answered: answered)
    case .raw(let bytes):
      answered()
      return write(bytes)
    case .rawThenClose(let bytes):
      answered()
      _ = write(bytes)
      return false
    case .rawThenStall(let bytes):
      _ = write(bytes)
      while read() {}
      answered()
      return false
    case .rawThenHalfClose(let bytes):
      answered()
      _ = write(bytes)
      shutdown(connection, Int32(SHUT_WR))
      while read() {}
      return false
    case .rawThenTrickle(let bytes):
      _ = write(bytes)
      while write([120]) { usleep(1_000) }
      answered()
      return false
    case .rawThenRepeat(let bytes, let part):
      _ = write(bytes)
      while write(part) {}
      answered()
      return false
    case .rawThenReset(let bytes):
      answered()
      _ = write(bytes)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    case .pieces(let pieces, let gate):
      for piece in pieces {
        gate.pass()
        guard write(piece) else { break }
      }
      waitUntilReceived()
      answered()
      return true
    }
  }

  /// Returns when the peer's system has taken all that was written, or takes nothing for two seconds.
  private func waitUntilReceived() {
    var left: Int32 = 0
    for _ in 0..<2_000 {
      // SIOCOUTQ, which Glibc's module does not export.
      guard ioctl(connection, 0x5411, &left) == 0, left > 0 else { return }
      usleep(1_000)
    }
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { bytes in
        send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(connection, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    return true
  }
}
