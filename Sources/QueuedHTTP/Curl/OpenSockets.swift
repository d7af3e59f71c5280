internal import CCurl
internal import Glibc

/// The sockets of a loop's connections; used only on the worker thread.
///
/// Child processes would inherit libcurl's own sockets, and libcurl does not check unused connections.
final class OpenSockets {
  private var descriptors: Set<Int32> = []
  /// Closed sockets that had been connected.
  private var reached: Set<Int32> = []
  /// The sockets by their connections, as far as these are known.
  private var byConnection: [Connection: Int32] = [:]
  /// The connections by their sockets.
  private var connections: [Int32: Connection] = [:]
  /// The sockets over which a server has spoken HTTP/1.
  private var withHTTP1: Set<Int32> = []

  /// The ends of a connection, which no other one has at the same time: our port, and the port and address of the
  /// server or proxy.
  struct Connection: Hashable {
    private let localPort: Int32
    private let remotePort: Int32
    private let address: SIMD2<UInt64>

    /// - Parameter server: The address as text.
    @unsafe
    init?(localPort: Int32, server: UnsafePointer<CChar>, port: Int32) {
      // Not every libcurl knows the port of a connection that it uses again.
      guard localPort > 0 else { return nil }
      var v4 = in_addr()
      var v6 = in6_addr()
      if unsafe inet_pton(AF_INET, server, &v4) == 1 {
        address = [UInt64(v4.s_addr), 0]
      } else if unsafe inet_pton(AF_INET6, server, &v6) == 1 {
        address = Self.address(v6)
      } else {
        return nil
      }
      (self.localPort, remotePort) = (localPort, port)
    }

    /// The connection of a socket; nil if it has none over IP.
    init?(of descriptor: Int32) {
      var (local, remote) = (sockaddr_in6(), sockaddr_in6())
      guard unsafe Self.read(getsockname, descriptor, into: &local),
        unsafe Self.read(getpeername, descriptor, into: &remote)
      else { return nil }
      switch Int32(remote.sin6_family) {
      // The address has the place of this member.
      case AF_INET: address = [UInt64(remote.sin6_flowinfo), 0]
      case AF_INET6: address = Self.address(remote.sin6_addr)
      default: return nil
      }
      // The port has the same place in IPv4 and IPv6 addresses.
      localPort = Int32(UInt16(bigEndian: local.sin6_port))
      remotePort = Int32(UInt16(bigEndian: remote.sin6_port))
    }

    private static func address(_ address: in6_addr) -> SIMD2<UInt64> {
      unsafe withUnsafeBytes(of: address) { unsafe $0.loadUnaligned(as: SIMD2<UInt64>.self) }
    }

    @unsafe
    private static func read(
      _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32,
      _ descriptor: Int32, into address: inout sockaddr_in6
    ) -> Bool {
      var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe name(descriptor, $0, &length) == 0
        }
      }
    }
  }

  /// Opens a socket that child processes do not inherit.
  func open(_ family: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
    let descriptor = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), proto)
    guard descriptor >= 0 else { return descriptor }
    descriptors.insert(descriptor)
    reached.remove(descriptor)
    forget(descriptor)
    return descriptor
  }

  /// True if the peer had ended the connection that was closed last.
  private(set) var wasLastEndedByPeer = false

  func close(_ descriptor: Int32) -> Int32 {
    wasLastEndedByPeer = Self.isEnded(descriptor)
    if Self.isConnected(descriptor) { reached.insert(descriptor) }
    descriptors.remove(descriptor)
    forget(descriptor)
    return Glibc.close(descriptor)
  }

  private func forget(_ descriptor: Int32) {
    if let known = connections.removeValue(forKey: descriptor) { byConnection[known] = nil }
    withHTTP1.remove(descriptor)
  }

  /// The socket of a connection; nil if it is not one of these.
  ///
  /// - Parameter opened: The socket that was opened last for it; negative if it was open already.
  func descriptor(of connection: Connection, opened: Int32) -> Int32? {
    if let known = byConnection[connection] { return known }
    let isIt = { (descriptor: Int32) in Connection(of: descriptor) == connection }
    guard let found = opened >= 0 && isIt(opened) ? opened : descriptors.first(where: isIt) else {
      return nil
    }
    (byConnection[connection], connections[found]) = (found, connection)
    return found
  }

  /// Notes that a server has spoken HTTP/1 over a connection, which therefore carries only what was asked for.
  func noteHTTP1(_ descriptor: Int32) { withHTTP1.insert(descriptor) }

  /// True if HTTP/1 was spoken over a connection.
  func speaksHTTP1(_ descriptor: Int32) -> Bool { withHTTP1.contains(descriptor) }

  /// True if a server has sent bytes that were not read yet, or has ended the connection.
  static func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// True if the last socket with this number is or was connected.
  func hasReached(_ descriptor: Int32) -> Bool {
    descriptors.contains(descriptor)
      ? Self.isConnected(descriptor) : reached.contains(descriptor)
  }

  private static func isConnected(_ descriptor: Int32) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getpeername(descriptor, $0, &length) == 0
      }
    }
  }

  private static func isEnded(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: hangUp, revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
      && polled.revents & (hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0
  }

  /// True if a server has ended one of the connections.
  func hasDead() -> Bool {
    guard !descriptors.isEmpty else { return false }
    var polled = descriptors.map { pollfd(fd: $0, events: Self.hangUp, revents: 0) }
    guard unsafe poll(&polled, nfds_t(polled.count), 0) > 0 else { return false }
    return polled.contains { $0.revents & (Self.hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
  }

  // POLLRDHUP, which Glibc's module does not export.
  private static let hangUp: Int16 = 0x2000
}
