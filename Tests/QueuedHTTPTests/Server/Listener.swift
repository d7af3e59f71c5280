import Glibc
import Synchronization

/// A listening socket on 127.0.0.1 whose connections have a thread each.
final class Listener: Sendable {
  struct Failure: Error { var code: Int32 }

  let port: Int
  private let socket: Int32
  private let open = Mutex<Set<Int32>>([])

  /// - Parameter serve: Called on the thread of a connection, which is closed when it returns.
  init(_ serve: @escaping @Sendable (Wire) -> Void) throws {
    (socket, port) = try Self.listen()
    Self.thread { [self] in
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { break }
        open.withLock { _ = $0.insert(connection) }
        Self.thread { [self] in
          let wire = Wire(connection)
          serve(wire)
          // Closed under the lock: before the number is given to another.
          open.withLock { open in
            open.remove(connection)
            wire.close()
          }
        }
      }
      Glibc.close(socket)
    }
  }

  func close() {
    open.withLock { open in
      for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(socket, Int32(SHUT_RDWR))
  }

  /// A socket that listens on a port of its own.
  static func listen() throws -> (socket: Int32, port: Int) {
    let (socket, port) = try bound()
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    guard Glibc.listen(socket, 1024) == 0 else { throw Failure(code: errno) }
    return (socket, port)
  }

  /// A socket that has a port and does not listen: whoever connects is refused.
  static func bound() throws -> (socket: Int32, port: Int) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
      }
    }
    guard isBound else { throw Failure(code: errno) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Runs a piece of work on a thread of its own, since it may block.
  static func thread(_ body: @escaping @Sendable () -> Void) {
    final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { user in
        guard let user else { return nil }
        Unmanaged<Body>.fromOpaque(user).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    pthread_detach(thread)
  }
}
