internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Waits for SIGINT and SIGTERM on a thread of its own.
///
/// The first one is handed to the handler; the second one ends the process at once. A signal that
/// was inherited as ignored, as in a job that a script starts with `&`, stays ignored.
enum SignalWatch {
  /// Blocks the signals for this thread and all that begin later, so that they wait for `start`.
  ///
  /// Call it before any other thread begins: a thread that does not block them would take them.
  static func block() {
    var blocked = set(of: watched)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
  }

  /// Starts to wait for the signals that `block` holds back.
  ///
  /// `handle` runs on a thread of its own, so that a second signal is seen while it works; it should
  /// end in `die(of:)`.
  static func start(_ handle: @escaping @Sendable (Int32) -> Void) {
    let watched = watched
    guard !watched.isEmpty else { return }
    startThread {
      var waited = set(of: watched)
      var received: Int32 = 0
      guard sigwait(&waited, &received) == 0 else { return }
      let first = received
      startThread { handle(first) }
      guard sigwait(&waited, &received) == 0 else { return }
      die(of: received)
    }
  }

  /// Ends the process by a signal, as if nothing had caught it: a calling shell sees the signal.
  static func die(of number: Int32) {
    signal(number, SIG_DFL)
    var unblocked = set(of: [number])
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    kill(getpid(), number)
    // The signal is for this process, and this thread takes it; there is nothing left to do.
    while true { pause() }
  }

  /// Those that were not inherited as ignored.
  private static var watched: [Int32] { [SIGINT, SIGTERM].filter { !isIgnored($0) } }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    return signals
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(ThreadWork(body))
    var thread = pthread_t()
    let error = pthread_create(&thread, nil, runThreadWork, work.toOpaque())
    guard error == 0 else {
      work.release()
      return
    }
    pthread_detach(thread)
  }
}

/// What a thread does, in a box that C can carry.
private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<ThreadWork>.fromOpaque(box).takeRetainedValue().body() }
  return nil
}
