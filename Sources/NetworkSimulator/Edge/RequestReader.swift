internal import FlyingSocks
internal import TextFormats

/// Reads the requests of a connection (RFC 9112) one by one.
struct RequestReader {
  /// A malformed request, with the status of the response to it.
  struct Malformed: Error {
    let status: Int
  }

  private let socket: AsyncSocket
  private var buffer: [UInt8] = []

  private static let headBound = 128 << 10
  private static let bodyBound = 1 << 20

  init(_ socket: AsyncSocket) { self.socket = socket }

  /// Returns the next request; throws if the client disconnected or sent a malformed one.
  mutating func next() async throws -> SimulatedRequest {
    let head = try await readHead()
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { throw Malformed(status: 400) }
    var headers = try lines.dropFirst().map { line in
      guard let colon = line.firstIndex(of: ":") else { throw Malformed(status: 400) }
      let value = line[line.index(after: colon)...]
      return (name: line[..<colon].lowercased(), value: String(value.trimmed))
    }
    if words[2] == "HTTP/1.0" { headers.append((name: "connection", value: "close")) }
    guard !headers.contains(where: { $0.name == "transfer-encoding" }) else {
      throw Malformed(status: 411)
    }
    let length = headers.first { $0.name == "content-length" }.map { Int($0.value) ?? -1 } ?? 0
    guard length >= 0 else { throw Malformed(status: 400) }
    guard length <= Self.bodyBound else { throw Malformed(status: 413) }
    while buffer.count < length { buffer += try await socket.read(atMost: 4096) }
    let body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return SimulatedRequest(
      method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }

  /// Returns the bytes before the empty line, and removes both.
  private mutating func readHead() async throws -> ArraySlice<UInt8> {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        let head = buffer[..<end]
        buffer.removeFirst(end + 4)
        return head
      }
      guard buffer.count <= Self.headBound else { throw Malformed(status: 431) }
      searched = max(0, buffer.count - 3)
      buffer += try await socket.read(atMost: 4096)
    }
  }

  private func endOfHead(from start: Int) -> Int? {
    // In place and without closures: every byte of every request passes here.
    buffer.withUnsafeBufferPointer { bytes in
      var place = start
      while place + 3 < bytes.count {
        if bytes[place] == 13, bytes[place + 1] == 10, bytes[place + 2] == 13,
          bytes[place + 3] == 10
        {
          return place
        }
        place += 1
      }
      return nil
    }
  }
}
