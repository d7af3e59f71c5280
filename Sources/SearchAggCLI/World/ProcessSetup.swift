internal import Glibc

/// Prepares this process for a run.
enum ProcessSetup {
  /// Opens something at each of the first three descriptors that the caller has closed.
  ///
  /// Otherwise the next file or socket that is opened would get such a number, and be written to as
  /// standard output. The replacement fails to be read or written, as a closed descriptor does.
  static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // This returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// True if a standard stream is a terminal.
  static var hasTerminal: Bool {
    [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 }
  }

  /// Closes standard output, and lets nothing else take its number.
  static func closeOutput() {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { return }
    dup2(nothing, STDOUT_FILENO)
    close(nothing)
  }

  /// Raises the soft limit of open files and sockets to at least `count`, as far as the hard limit
  /// allows.
  static func raiseDescriptorLimit(to count: Int) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(resource, &limit)
  }

  /// Makes this the time zone of the process (tzset(3)).
  static func setTimeZone(_ zone: String) {
    setenv("TZ", zone, 1)
    tzset()
  }

  /// Gives all threads one heap, and reserves address space for it in large steps.
  ///
  /// glibc grows a heap page by page, with a system call each that holds up the page faults of all
  /// other threads: 27,000 of them, and an eighth of its time, for a run of 100,000 posts. In the heap of one
  /// thread it cannot use what another one has freed, a tenth of the memory of such a run.
  static func reserveHeap() {
    // Looked up, since Swift's module of glibc leaves malloc.h out; another C library has none.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
    // By malloc.h: M_ARENA_MAX, M_TOP_PAD, M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, in this order. The last two
    // keep the pages of one body for the next.
    let parameters: [(Int32, Int32)] = [(-8, 1), (-2, 64 << 20), (-1, 256 << 20), (-3, 8 << 20)]
    for (parameter, value) in parameters {
      _ = mallopt(parameter, value)
    }
  }
}
