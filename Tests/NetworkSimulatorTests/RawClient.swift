import Dispatch
import Foundation
import Glibc

/// An HTTP client of plain sockets: it shows what a server really does to a connection.
struct RawClient: Sendable {
  struct Failure: Error {
    let reason: String
  }

  let port: UInt16

  /// Sends one request and reads until the answer ends, on a thread of its own.
  ///
  /// - Parameter patience: How many seconds without a byte are taken for silence.
  func send(
    _ target: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil,
    patience: Int = 600
  ) async throws -> RawResponse {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
    let request = Array((head + "\r\n" + (body ?? "")).utf8)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try exchange(request, patience: patience) })
      }
    }
  }

  private func exchange(_ request: [UInt8], patience: Int) throws -> RawResponse {
    let descriptor = try connect(patience: patience)
    defer { close(descriptor) }
    guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else {
      throw Failure(reason: "send: \(errno)")
    }
    var received: [UInt8] = []
    var expected: Int?
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      expected = expected ?? Self.expectedCount(received)
      if let expected, received.count >= expected, let (head, body) = Self.halves(received) {
        return RawResponse(head: head, body: Array(body), ending: .whole)
      }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 {
        received += chunk.prefix(count)
        continue
      }
      let ending: RawResponse.Ending =
        count == 0 ? .closed : errno == ECONNRESET ? .reset : .silence
      let (head, body) = Self.halves(received) ?? ("", [])
      return RawResponse(head: head, body: Array(body), ending: ending)
    }
  }

  private func connect(patience: Int) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var wait = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let reason = "connect: \(errno)"
      close(descriptor)
      throw Failure(reason: reason)
    }
    return descriptor
  }

  private static func halves(_ received: [UInt8]) -> (String, ArraySlice<UInt8>)? {
    guard let end = Data(received).firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
    return (head, received[end.upperBound...])
  }

  /// Returns how many bytes the answer has as a whole, once its head is there.
  private static func expectedCount(_ received: [UInt8]) -> Int? {
    guard let (head, body) = halves(received) else { return nil }
    let response = RawResponse(head: head, body: [], ending: .whole)
    return response.header("content-length").flatMap { Int($0) }
      .map { $0 + received.count - body.count }
  }
}
