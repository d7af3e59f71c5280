import Foundation
import Synchronization

/// A web server on loopback that keeps each request, one connection at a time.
final class RecordingServer: Sendable {
  struct Request: Sendable {
    /// The request line and the fields.
    var head: String
    var body: Data
  }

  private let listener: Int32
  private let port: UInt16
  private let received = Mutex<[Request]>([])
  private let answer: @Sendable (_ path: String) -> (status: Int, body: String)
  /// The server that every answer leads to; nil means this one.
  private let next: String?
  /// False if only the end of the connection ends a body.
  private let statesLength: Bool

  var address: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { received.withLock { $0 } }

  init(
    next: String? = nil, statesLength: Bool = true,
    _ answer: @escaping @Sendable (_ path: String) -> (status: Int, body: String)
  ) throws {
    self.answer = answer
    self.next = next
    self.statesLength = statesLength
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isReady else { throw POSIXError(.EADDRNOTAVAIL) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in
      while case let connection = accept(listener, nil, nil), connection >= 0 {
        serve(connection)
        close(connection)
      }
    }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func serve(_ connection: Int32) {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let length =
          head.lowercased().split(separator: "\r\n")
          .first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.filter(\.isNumber)) } ?? 0
        if bytes.count - end.upperBound >= length {
          received.withLock { $0.append(Request(head: head, body: bytes[end.upperBound...])) }
          let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
          let (status, body) = answer(path)
          // One that asks to slow down names a wait of a second.
          let wait = status == 429 ? "Retry-After: 1\r\n" : ""
          let length = statesLength ? "Content-Length: \(body.utf8.count)\r\n" : ""
          let text =
            "HTTP/1.1 \(status) Answer\r\n\(length)\(wait)"
            + "Location: \(next ?? address)/elsewhere\r\nConnection: close\r\n\r\n\(body)"
          _ = Array(text.utf8).withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
          return
        }
      }
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return }
      bytes += chunk[..<count]
    }
  }
}
