#if canImport(Glibc)
  internal import Glibc
#endif

/// How the C library's heap grows.
enum HeapGrowth {
  /// Lets the heaps of threads that begin later grow in large steps, of address space alone.
  ///
  /// glibc grows them page by page, with a system call each that holds up the page faults of all
  /// other threads: 27,000 of them, and an eighth of its time, for a run of 100,000 posts. A step
  /// must be smaller than the largest heap of a thread, 64 MiB (glibc, malloc/arena.c).
  static func useLargeSteps() {
    #if canImport(Glibc)
      // Looked up, since Swift's module of glibc leaves malloc.h out; another C library has none.
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      // By malloc.h: M_TOP_PAD, M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, in this order. The last two
      // keep the pages of one body for the next.
      for (parameter, value) in [(-2, 56 << 20), (-1, 256 << 20), (-3, 8 << 20)] as [(Int32, Int32)]
      {
        _ = mallopt(parameter, value)
      }
    #endif
  }
}
