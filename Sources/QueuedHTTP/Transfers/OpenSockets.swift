internal import CCurl
internal import Glibc

/// The sockets of a loop's connections; used on the worker thread alone.
///
/// libcurl would have child processes inherit them, and does not look at connections that nothing uses.
final class OpenSockets {
  private var descriptors: Set<Int32> = []
  /// Those that are closed and had reached the other side before.
  private var reached: Set<Int32> = []

  /// Opens a socket that no program inherits which is started meanwhile.
  func open(_ family: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
    let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), proto)
    if descriptor >= 0 { descriptors.insert(descriptor) }
    reached.remove(descriptor)
    return descriptor
  }

  func close(_ descriptor: Int32) -> Int32 {
    if Self.isConnected(descriptor) { reached.insert(descriptor) }
    descriptors.remove(descriptor)
    return Glibc.close(descriptor)
  }

  /// Whether a socket, the last of its number, is or was connected.
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

  /// Whether the other side has ended one of the connections.
  func hasDead() -> Bool {
    guard !descriptors.isEmpty else { return false }
    var looks = descriptors.map { pollfd(fd: $0, events: Self.hangUp, revents: 0) }
    guard unsafe poll(&looks, nfds_t(looks.count), 0) > 0 else { return false }
    return looks.contains { $0.revents & (Self.hangUp | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
  }

  // POLLRDHUP, which Glibc's module shows to nobody.
  private static let hangUp: Int16 = 0x2000
}
