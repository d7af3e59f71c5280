import Glibc

/// A listening socket that accepts nothing and whose backlog is full, so that a connection neither
/// comes nor fails.
final class FullBacklog {
  let port: Int
  private var sockets: [Int32] = []

  init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
      }
    }
    guard isBound, listen(listener, 0) == 0 else {
      throw Listener.Failure(code: errno)
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    sockets = [listener]
    // Linux takes one more than the backlog says; further ones are left without an answer.
    for _ in 0..<8 {
      let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = connect(filler, pointer, length)
        }
      }
      sockets.append(filler)
    }
  }

  func close() {
    for socket in sockets { Glibc.close(socket) }
    sockets = []
  }
}
