internal import CCurl
internal import Glibc

/// The owner of libcurl's multi handle: connections, names, TLS sessions, and the transfers that
/// run.
///
/// Used on the worker thread alone, but for waking it up.
@safe
struct MultiHandle: ~Copyable {
  // Nil where there was no memory: libcurl's functions then answer with an error of their own.
  @unsafe let pointer: UnsafeMutableRawPointer?

  init() {
    let before = Self.descriptors()
    unsafe pointer = curl_multi_init()
    // Versions before 8.12 have child processes inherit the pair that wakes it up, and show it to
    // nobody.
    for descriptor in Self.descriptors().subtracting(before) { Self.keepFromPrograms(descriptor) }
  }

  deinit { unsafe curl_multi_cleanup(pointer) }

  /// The descriptors of the process.
  private static func descriptors() -> Set<Int32> {
    guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
    defer { unsafe closedir(folder) }
    // The folder's own is free again in a moment, and then perhaps given to what is looked for.
    let own = unsafe dirfd(folder)
    var found: Set<Int32> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe atoi($0) }
      }
      // The standard ones are none of these, and 0 is also what a dot says.
      if name > 2, name != own { found.insert(name) }
    }
    return found
  }

  /// Sees to it that no program inherits a socket of the process's own.
  private static func keepFromPrograms(_ descriptor: Int32) {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0,
      domain == AF_UNIX
    else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Bounds the connections that are kept open for later requests.
  func keepConnections(_ bound: Int) {
    unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, bound)
  }

  /// Begins a transfer.
  func add(_ easy: borrowing EasyHandle) -> Bool {
    unsafe curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK
  }

  /// Ends a transfer at once, whatever it is doing.
  func remove(_ easy: borrowing EasyHandle) {
    unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting.
  ///
  /// - Returns: false when the state of all transfers is undefined.
  func perform() -> Bool {
    var running: Int32 = 0
    return unsafe curl_multi_perform(pointer, &running) == CURLM_OK
  }

  /// Waits for the network, the time or a wake-up.
  func poll(milliseconds: Int32) -> Bool {
    unsafe curl_multi_poll(pointer, nil, 0, milliseconds, nil) == CURLM_OK
  }

  /// The next transfer that is done: what stands as its private pointer, and how it ended.
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
