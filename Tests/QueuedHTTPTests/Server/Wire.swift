import Glibc
import Synchronization

/// The bytes of one connection of a server; whole pieces are written by any thread, one thread
/// reads.
final class Wire: Sendable {
  private let descriptor: Int32
  private let isReset = Atomic<Bool>(false)
  // Held while a piece is written, so that none goes to whoever has the descriptor's number next.
  private let isClosed = Mutex(false)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Connects to a port of 127.0.0.1, or of a host whose address is given; nil where it is refused.
  static func connected(toPort port: Int) -> Wire? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let isThere = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isThere else {
      Glibc.close(socket)
      return nil
    }
    return Wire(socket)
  }

  /// What has come, at least a byte; nil when the other side left.
  func readSome() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 32 << 10)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Just so many bytes; nil when the other side left before.
  func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let come = Glibc.read(descriptor, &buffer, buffer.count)
      guard come > 0 else { return nil }
      bytes += buffer[..<come]
    }
    return bytes
  }

  /// The bytes up to a blank line and with it; nil when the other side left before.
  func readHead() -> [UInt8]? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard let byte = read(1) else { return nil }
      bytes += byte
    }
    return bytes
  }

  /// Says whether all of the bytes could be handed over.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    isClosed.withLock { isClosed in
      guard !isClosed else { return false }
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { bytes in
          send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Ends both directions; whoever reads or writes comes back.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Has the connection reset when it is closed, and ends the reading.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    shutdown(descriptor, Int32(SHUT_RD))
    isReset.store(true, ordering: .releasing)
  }

  /// Closes the connection, once nobody writes any more.
  func close() {
    if !isReset.load(ordering: .acquiring) { end() }
    isClosed.withLock { isClosed in
      if !isClosed { Glibc.close(descriptor) }
      isClosed = true
    }
  }

  /// Passes on what comes from here, until one of the two leaves.
  func copy(to other: Wire) {
    while let bytes = readSome(), other.write(bytes) {}
  }

  /// Passes on what comes from either side, and returns when both are done.
  func exchange(with other: Wire) {
    let gate = Gate()
    Listener.thread { [self] in
      other.copy(to: self)
      end()
      gate.open(1)
    }
    copy(to: other)
    other.end()
    gate.pass()
  }
}
