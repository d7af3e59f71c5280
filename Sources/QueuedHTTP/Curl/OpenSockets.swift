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

@unsafe
func openSocket(
  _ user: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let user = unsafe user, let address = unsafe address else { return -1 }
  return unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().open(address)
}

@unsafe
func closeSocket(_ user: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
  guard let user = unsafe user else { return close(descriptor) }
  let sockets = unsafe Unmanaged<OpenSockets>.fromOpaque(user).takeUnretainedValue()
  return sockets.close(descriptor)
}

/// Has libcurl close the connections that the servers have ended.
///
/// It does so only before it looks for a connection for another transfer; this one finds none.
@safe
struct DeadConnectionSweep: ~Copyable {
  private let easy = EasyHandle()

  func run(_ multi: borrowing MultiHandle) {
    do throws(HTTPError) {
      try easy.set(CURLOPT_NOSIGNAL, 1)
      try easy.set(CURLOPT_PROXY, "")
      try easy.set(CURLOPT_URL, "http://127.0.0.1:1/")
      try easy.set(CURLOPT_FRESH_CONNECT, 1)
      try unsafe easy.setNoSocket { _, _, _ in CURL_SOCKET_BAD }
    } catch { return }
    guard multi.add(easy) else { return }
    _ = multi.perform()
    multi.remove(easy)
  }
}
