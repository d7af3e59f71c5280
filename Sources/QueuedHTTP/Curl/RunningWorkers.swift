internal import Glibc
internal import Synchronization

/// The clients whose workers run, so that they end before the process does.
///
/// `exit` lets threads go on while it calls what libraries have left for the end; a thread that is
/// inside libcurl while its TLS library takes itself apart crashes. What is registered last is called
/// first, so this is registered once libcurl is set up.
enum RunningWorkers {
  private static let cores = Mutex<[ObjectIdentifier: ClientCore]>([:])
  /// The process whose workers they are: a forked child has their names and none of their threads.
  private static let process = Atomic<pid_t>(0)

  static func add(_ core: ClientCore) {
    cores.withLock { cores in
      if process.exchange(getpid(), ordering: .sequentiallyConsistent) != getpid() { cores = [:] }
      cores[ObjectIdentifier(core)] = core
    }
  }

  static func remove(_ core: ClientCore) {
    _ = cores.withLock { $0.removeValue(forKey: ObjectIdentifier(core)) }
  }

  /// Has all of them ended by `exit`; says whether it will.
  static func endAtExit() -> Bool { atexit { RunningWorkers.endAll() } == 0 }

  private static func endAll() {
    // Before the lock, which another thread may have held when the process was forked.
    guard process.load(ordering: .sequentiallyConsistent) == getpid() else { return }
    for core in cores.withLock({ Array($0.values) }) {
      core.beginCancelAll(.shutDown, isShutDown: true)
    }
    // They end within moments. Should one not, the process still does.
    for _ in 0..<1000 {
      guard !cores.withLock({ $0.isEmpty }) else { return }
      usleep(1000)
    }
  }
}
