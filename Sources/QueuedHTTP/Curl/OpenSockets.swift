internal import CCurl
internal import Glibc

/// The sockets of a loop's connections; used only on the worker thread.
///
/// Child processes would inherit libcurl's own sockets, and libcurl does not check unused connections.
final class OpenSockets {
  private var descriptors: Set<Int32> = []
  /// Closed sockets that had been connected.
  private var reached: Set<Int32> = []
  /// The sockets by the ports of their connections, as far as these are known, and the ports by socket.
  private var byPorts: [Ports: Int32] = [:]
  private var ports: [Int32: Ports] = [:]
  /// The sockets over which a server has spoken HTTP/1.
  private var withHTTP1: Set<Int32> = []

  /// The ports of a connection: ours, and that of the server or proxy.
  struct Ports: Hashable {
    let local: Int32
    let remote: Int32
  }

  /// Opens a socket that child processes do not inherit.
  func open(_ family: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
    let descriptor = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), proto)
    if descriptor >= 0 { descriptors.insert(descriptor) }
    reached.remove(descriptor)
    return descriptor
  }

  /// True if the peer had ended the connection that was closed last.
  private(set) var wasLastEndedByPeer = false

  func close(_ descriptor: Int32) -> Int32 {
    wasLastEndedByPeer = Self.isEnded(descriptor)
    if Self.isConnected(descriptor) { reached.insert(descriptor) }
    descriptors.remove(descriptor)
    if let known = ports.removeValue(forKey: descriptor) { byPorts[known] = nil }
    withHTTP1.remove(descriptor)
    return Glibc.close(descriptor)
  }

  /// The socket of a connection; nil if libcurl does not know its ports.
  ///
  /// - Parameter opened: The socket that was opened last for it; negative if it was open already.
  func descriptor(of connection: Ports, opened: Int32) -> Int32? {
    if let known = byPorts[connection] { return known }
    guard connection.local > 0 else { return nil }
    let isIt = { (descriptor: Int32) in Self.ports(of: descriptor) == connection }
    guard let found = opened >= 0 && isIt(opened) ? opened : descriptors.first(where: isIt) else {
      return nil
    }
    (byPorts[connection], ports[found]) = (found, connection)
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

  private static func ports(of descriptor: Int32) -> Ports? {
    guard let local = unsafe port(getsockname, descriptor),
      let remote = unsafe port(getpeername, descriptor)
    else {
      return nil
    }
    return Ports(local: local, remote: remote)
  }

  @unsafe
  private static func port(
    _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32,
    _ descriptor: Int32
  ) -> Int32? {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe name(descriptor, $0, &length)
      }
    }
    let families = [AF_INET, AF_INET6].map(sa_family_t.init)
    // The port has the same position in IPv4 and IPv6 addresses.
    return status == 0 && families.contains(address.sin6_family)
      ? Int32(UInt16(bigEndian: address.sin6_port)) : nil
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
