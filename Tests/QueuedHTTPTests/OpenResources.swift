import Glibc

/// What the whole process has open.
enum OpenResources {
  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// How many descriptors the process has open, without the one that this takes.
  static func descriptors() -> Int { entries(of: "/proc/self/fd").count - 1 }

  /// Whether the calling thread is a client's.
  static func isWorker() -> Bool { isClients("/proc/thread-self/comm") }

  /// How many threads are a client's.
  static func threads() -> Int {
    entries(of: "/proc/self/task").filter { isClients("/proc/self/task/\($0)/comm") }.count
  }

  private static func isClients(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 64)
    guard fgets(&line, 64, file) != nil else { return false }
    return String(decoding: line.prefix { $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      == "QueuedHTTP"
  }
}

extension OpenResources {
  struct NoStatus: Error {}

  /// Gives unused memory back, and begins `mostMemory()` anew (proc_pid_clear_refs(5)).
  static func forgetMostMemory() throws {
    // Swift's module of the C library leaves it out.
    guard let symbol = dlsym(nil, "malloc_trim") else { throw NoStatus() }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    guard let file = fopen("/proc/self/clear_refs", "w") else { throw NoStatus() }
    defer { fclose(file) }
    guard fputs("5", file) >= 0 else { throw NoStatus() }
  }

  /// The most bytes of memory that the process has held so far, or since it was told to forget them.
  static func mostMemory() throws -> Int {
    guard let file = fopen("/proc/self/status", "r") else { throw NoStatus() }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
      )
      .split { $0 == " " || $0 == "\t" }
      if words.first == "VmHWM:", words.count > 1, let kibibytes = Int(words[1]) {
        return kibibytes << 10
      }
    }
    throw NoStatus()
  }
}
