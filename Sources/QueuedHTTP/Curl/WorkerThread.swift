internal import CCurl
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The locale of the threads: libcurl turns the names of hosts into their ASCII form by it, and the
/// default one knows ASCII alone.
private enum ThreadLocale {
  // The address of one that is never freed; 0 where the system has none.
  private static let utf8 = unsafe UInt(
    bitPattern: newlocale(1 << LC_CTYPE, "C.UTF-8", nil))

  static func useUTF8() {
    guard let locale = unsafe locale_t(bitPattern: utf8) else { return }
    unsafe uselocale(locale)
  }
}

/// The thread on which the transfer loop runs.
final class WorkerThread: Sendable {
  private enum State {
    case running(pthread_t)
    /// Somebody joins it; these wait for that.
    case joining([CheckedContinuation<Void, Never>])
    case gone
  }

  private let state: Mutex<State>

  /// Starts the thread; nil when libcurl cannot be set up, or the system gives none.
  init?(_ core: ClientCore) {
    guard CurlGlobal.isReady else { return nil }
    RunningWorkers.add(core)
    // The thread keeps the core, not the client: a client that nobody holds can end it.
    let user = unsafe Unmanaged.passRetained(core)
    // Signals are the program's; a thread inherits what is blocked.
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { user in
        guard let user = unsafe user else { return nil }
        // Shown by debuggers and `ps -L`; threads that look up names inherit it.
        unsafe ccurl_name_thread("QueuedHTTP")
        let core = unsafe Unmanaged<ClientCore>.fromOpaque(user).takeRetainedValue()
        let sockets = OpenSockets()
        ThreadLocale.useUTF8()
        TransferLoop(core: core, sockets: sockets).run()
        // libcurl closes the last connections through them.
        withExtendedLifetime(sockets) {}
        RunningWorkers.remove(core)
        return nil
      }, user.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      RunningWorkers.remove(core)
      unsafe user.release()
      return nil
    }
    state = Mutex(.running(thread))
  }

  /// Returns when the thread has ended; to be called when it has been told to.
  func join() async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      var thread: pthread_t?
      let isGone = state.withLock { state in
        switch state {
        case .running(let running):
          thread = running
          state = .joining([waiter])
          return false
        case .joining(let waiters):
          state = .joining(waiters + [waiter])
          return false
        case .gone: return true
        }
      }
      if isGone { waiter.resume() }
      guard let thread else { return }
      // Joining blocks, which the threads of the cooperative pool must not.
      DispatchQueue.global().async { [self] in
        pthread_join(thread, nil)
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          defer { state = .gone }
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
