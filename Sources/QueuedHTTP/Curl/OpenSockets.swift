internal import CCurl
internal import Glibc

/// The sockets of a loop's connections; used only on the worker thread.
///
/// Child processes would inherit libcurl's own sockets, and libcurl does not check unused connections.
final class OpenSockets {
  private var descriptors: Set<Int32> = []
  /// Closed sockets that had been connected.
  private var reached: Set<Int32> = []

  /// Opens a socket that child processes do not inherit.
  func open(_ family: Int32, _ type: Int32, _ proto: Int32) -> Int32 {
    let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), proto)
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
    return Glibc.close(descriptor)
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
