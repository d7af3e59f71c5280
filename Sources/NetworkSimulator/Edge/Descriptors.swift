internal import FlyingSocks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the sockets need of the system.
enum Descriptors {
  /// Raises the soft limit: a stalled client holds a descriptor for as long as it waits.
  static func raiseLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    let wanted = min(limit.rlim_max, 65_536)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    // Where it cannot be raised, fewer clients can wait at once, which they see for themselves.
    _ = setrlimit(resource, &limit)
  }

  /// Keeps a descriptor from the processes that tests start: one that they hold stays open for the
  /// client, however often it is closed here.
  static func keepFromChildren(_ socket: Socket) {
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
  }
}
