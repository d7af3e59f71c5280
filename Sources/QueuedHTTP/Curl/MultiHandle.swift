internal import CCurl
internal import Glibc

/// The owner of libcurl's multi handle: connections, names, TLS sessions and running transfers.
///
/// Used only on the worker thread, except for waking it up.
@safe
struct MultiHandle: ~Copyable {
  // Nil without memory: libcurl's functions then return an error.
  @unsafe let pointer: UnsafeMutableRawPointer?

  init() {
    let before = Self.descriptors()
    unsafe pointer = curl_multi_init()
    // Before version 8.12, child processes inherit the socket pair that wakes it up, which is not
    // accessible.
    for descriptor in Self.descriptors().subtracting(before) { Self.closeOnExec(descriptor) }
  }

  deinit { unsafe curl_multi_cleanup(pointer) }

  /// The descriptors of the process.
  private static func descriptors() -> Set<Int32> {
    guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
    defer { unsafe closedir(folder) }
    // The folder's own descriptor is about to be free, and may then be reused by the socket pair.
    let own = unsafe dirfd(folder)
    var found: Set<Int32> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe atoi($0) }
      }
      // Standard descriptors do not count, and `atoi` returns 0 for "." and "..".
      if name > 2, name != own { found.insert(name) }
    }
    return found
  }

  /// Keeps other programs from inheriting a Unix socket.
  private static func closeOnExec(_ descriptor: Int32) {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0,
      domain == AF_UNIX
    else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Limits the number of connections that are kept open for later requests.
  func keepConnections(_ bound: Int) {
    unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, bound)
  }

  /// Begins a transfer.
  func add(_ easy: borrowing EasyHandle) -> Bool {
    unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
  }

  /// Ends a transfer at once, whatever its state.
  func remove(_ easy: borrowing EasyHandle) {
    unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does everything that is possible without waiting.
  ///
  /// - Returns: false if the state of all transfers is undefined.
  func perform() -> Bool {
    var running: Int32 = 0
    return unsafe curl_multi_perform(pointer, &running) == CURLM_OK
  }

  /// Waits for network traffic, a timeout or a wake-up.
  func poll(milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// The private pointer and the result code of the next transfer that is done.
  @unsafe
  func nextDone() -> (user: UnsafeMutableRawPointer, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE else { continue }
      var user: UnsafeMutableRawPointer?
      unsafe ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &user)
      guard let user = unsafe user else { continue }
      return unsafe (user, ccurl_message_result(message))
    }
    return nil
  }
}

/// Makes libcurl close the connections that servers have ended.
///
/// libcurl does that only when it looks for a connection for a transfer; this transfer finds none.
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
