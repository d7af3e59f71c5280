internal import Application
internal import Glibc
internal import Synchronization

/// Waits for SIGINT and SIGTERM, and in a watch for SIGHUP, on a thread of its own.
///
/// The first one is handed to a handler of ours; the second one that counts (`SignalCount`) ends the
/// process at once, and so does an output that nobody reads any more (`OutputStall`). A signal that was inherited as ignored, as in a job that a script starts with `&`,
/// stays ignored.
enum SignalWatch {
  /// The use that a command has for SIGHUP.
  enum Hangup: Sendable {
    /// It keeps its default action, which ends the process.
    case `default`
    /// It is handled as the other signals are.
    case ends
    /// It is handed to a handler of its own, as often as it arrives.
    case reloads(@Sendable () -> Void)
  }

  /// The actions that the latest caller of `start` asked for.
  private struct Handling: Sendable {
    let hangup: Hangup
    let handle: @Sendable (Int32) -> Void
  }

  private static let handling = Mutex<Handling?>(nil)

  /// Catches the signals from now on. The signals that the first call names are caught once; a later call
  /// only says what is done with them.
  ///
  /// `handle` runs on a thread of its own, so that a second signal is seen while it works; it should
  /// end in `die(of:)`. Without descriptors for a pipe, or a thread, the signals keep their default action.
  // Blocking the signals and waiting for them would not do: the main thread of an asynchronous
  // program suspends itself with every signal unblocked, and would take them.
  static func start(
    hangup: Hangup = .default, _ handle: @escaping @Sendable (Int32) -> Void
  ) {
    let wanted = Handling(hangup: hangup, handle: handle)
    let isFirst = handling.withLock { current in
      defer { current = wanted }
      return current == nil
    }
    guard isFirst else { return }
    let hasHangup = if case .default = hangup { false } else { true }
    let watched = ([SIGINT, SIGTERM] + (hasHangup ? [SIGHUP] : [])).filter { !isIgnored($0) }
    guard !watched.isEmpty, openPipe() else { return }
    let reader = signalPipe.reader
    for number in watched { signal(number, noteSignal) }
    let isWatching = startThread {
      // A parent that starts programs from a thread without signals hands its mask down, and a main
      // thread that waits for a key never changes it.
      unblock(watched)
      var count = SignalCount()
      while let note = next(from: reader) {
        guard let handling = handling.withLock({ $0 }) else { return }
        if note.number == SIGHUP, case .reloads(let reload) = handling.hangup {
          reload()
          continue
        }
        switch count.receive(at: note.moment) {
        case .interrupt:
          let isHandled = startThread { handling.handle(note.number) }
          _ = startThread {
            OutputStall.wait()
            die(of: note.number)
          }
          if !isHandled { die(of: note.number) }
        case .ignore: continue
        case .die: die(of: note.number)
        }
      }
    }
    if !isWatching { for number in watched { signal(number, SIG_DFL) } }
  }

  /// Keeps each SIGHUP for the handler that a watch sets once its settings are read. To be called before there is a
  /// second thread.
  static func holdHangups() {
    if !isIgnored(SIGHUP), openPipe() { signal(SIGHUP, noteSignal) }
  }

  /// Opens the pipe unless it is open already; returns false if that fails.
  private static func openPipe() -> Bool {
    if signalPipe.writer >= 0 { return true }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe = (ends[0], ends[1])
    return true
  }

  /// Ends the process by a signal, as if nothing had caught it: a calling shell sees the signal.
  static func die(of number: Int32) -> Never {
    signal(number, SIG_DFL)
    unblock([number])
    kill(getpid(), number)
    // The signal ends the process; there is nothing left to do until then.
    while true { pause() }
  }

  private static func unblock(_ numbers: [Int32]) {
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for number in numbers { sigaddset(&unblocked, number) }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// Waits for the next signal; nil if the pipe has failed.
  private static func next(from reader: Int32) -> SignalNote? {
    var note = SignalNote(number: 0, moment: 0)
    while true {
      switch read(reader, &note, MemoryLayout<SignalNote>.size) {
      case MemoryLayout<SignalNote>.size: return note
      case -1 where errno == EINTR: continue
      default: return nil
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    let handler = action.__sigaction_handler.sa_handler
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Returns false if the system provides no thread.
  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(ThreadWork(body))
    var thread = pthread_t()
    guard pthread_create(&thread, nil, runThreadWork, work.toOpaque()) == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

/// The pipe that `noteSignal` writes to. Set once, before the first signal is caught, and then only read.
private nonisolated(unsafe) var signalPipe: (reader: Int32, writer: Int32) = (-1, -1)

/// A signal and when it came, in nanoseconds of the monotonic clock; small enough that a pipe takes it
/// whole.
private struct SignalNote {
  var number: Int32
  var moment: UInt64
}

/// The signal handler: it only reads the clock and writes, which a handler may do (signal-safety(7)).
// The clock is read here because the thread that reads the pipe may be late on a busy machine.
private func noteSignal(_ number: Int32) {
  let before = errno
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  var note = SignalNote(
    number: number,
    moment: UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000
      &+ UInt64(truncatingIfNeeded: time.tv_nsec))
  _ = write(signalPipe.writer, &note, MemoryLayout<SignalNote>.size)
  errno = before
}

/// The work of a thread, in a box that C can carry.
private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadWork(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<ThreadWork>.fromOpaque(box).takeRetainedValue().body() }
  return nil
}

/// Tells a deliberate second signal from repetitions of the first one.
///
/// GNU `timeout` sends its signal to the process and to its group, microseconds apart, and a key on a
/// terminal repeats; neither means more than the first signal.
struct SignalCount: Hashable, Sendable {
  /// The effect of a signal.
  enum Decision: Hashable, Sendable {
    /// Cancel the run and print what has arrived.
    case interrupt
    /// Nothing: it came with the first one.
    case ignore
    /// End the process at once.
    case die
  }

  /// The time after the first signal in which others count as part of it, in nanoseconds.
  static let grace: UInt64 = 300_000_000

  private var first: UInt64?

  /// Takes a signal.
  ///
  /// - Parameter moment: The time of its arrival, in nanoseconds of a clock that never runs backwards.
  mutating func receive(at moment: UInt64) -> Decision {
    guard let first else {
      first = moment
      return .interrupt
    }
    return moment < first + Self.grace ? .ignore : .die
  }
}
