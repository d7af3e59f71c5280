internal import CCurl
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The thread on which a client's transfer loop runs.
final class WorkerThread: Sendable {
  private enum State {
    case running(pthread_t)
    /// Somebody joins the thread; these wait for that.
    case joining([CheckedContinuation<Void, Never>])
    case ended
  }

  /// The work of a thread, passed to it as user data.
  private final class Job: Sendable {
    let makeDelegate: @Sendable () -> any TransferLoopDelegate
    let key: UInt64

    init(key: UInt64, _ makeDelegate: @escaping @Sendable () -> any TransferLoopDelegate) {
      self.key = key
      self.makeDelegate = makeDelegate
    }

    func run() {
      let sockets = OpenSockets()
      ThreadLocale.useUTF8()
      TransferLoop(delegate: makeDelegate(), sockets: sockets).run()
      // libcurl closes the last connections through them.
      withExtendedLifetime(sockets) {}
      RunningWorkers.remove(key)
    }
  }

  private let state: Mutex<State>

  /// Starts the thread; nil if libcurl cannot be initialized or the system provides no thread.
  ///
  /// - Parameters:
  ///   - stop: Makes the loop end; called when the process exits.
  ///   - makeDelegate: Called on the new thread.
  init?(
    stop: @escaping @Sendable () -> Void,
    _ makeDelegate: @escaping @Sendable () -> any TransferLoopDelegate
  ) {
    guard CurlGlobal.isReady else { return nil }
    let job = Job(key: RunningWorkers.add(stop), makeDelegate)
    let user = unsafe Unmanaged.passRetained(job)
    // Signals belong to the program; a thread inherits the mask.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { user in
        guard let user = unsafe user else { return nil }
        // Shown by debuggers and `ps -L`; threads for name lookups inherit it.
        unsafe ccurl_name_thread("QueuedHTTP")
        unsafe Unmanaged<Job>.fromOpaque(user).takeRetainedValue().run()
        return nil
      }, user.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      RunningWorkers.remove(job.key)
      unsafe user.release()
      return nil
    }
    state = Mutex(.running(thread))
  }

  /// Returns when the thread has ended; call it after the loop was told to end.
  func join() async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      var thread: pthread_t?
      let hasEnded = state.withLock { state in
        switch state {
        case .running(let running):
          thread = running
          state = .joining([waiter])
          return false
        case .joining(let waiters):
          state = .joining(waiters + [waiter])
          return false
        case .ended: return true
        }
      }
      if hasEnded { waiter.resume() }
      guard let thread else { return }
      // Joining blocks, which the threads of the cooperative pool must not.
      DispatchQueue.global().async { [self] in
        pthread_join(thread, nil)
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          defer { state = .ended }
          guard case .joining(let waiters) = state else { return [] }
          return waiters
        }
        for waiter in waiters { waiter.resume() }
      }
    }
  }

  deinit {
    if case .running(let thread) = state.withLock({ $0 }) { pthread_detach(thread) }
  }
}

/// The locale of worker threads: libcurl converts host names to their ASCII form with it, and the
/// default locale supports only ASCII.
private enum ThreadLocale {
  // The address of a locale that is never freed; 0 if the system has none.
  private static let utf8 = unsafe UInt(
    bitPattern: newlocale(1 << LC_CTYPE, "C.UTF-8", nil))

  static func useUTF8() {
    guard let locale = unsafe locale_t(bitPattern: utf8) else { return }
    unsafe uselocale(locale)
  }
}
