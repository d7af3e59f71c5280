import Glibc

/// The name of the thread that asks, as debuggers show it.
enum ThreadName {
  static var current: String {
    let file = open("/proc/thread-self/comm", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].prefix { $0 != 10 }, as: UTF8.self)
  }
}
