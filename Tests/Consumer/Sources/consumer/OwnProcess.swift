import Glibc

/// What a program says of its own process.
enum OwnProcess {
  /// The most memory that it ever had, in MiB.
  static var peakMemory: Int {
    // What getrusage says counts the memory of the process that started this one too.
    let file = open("/proc/self/status", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = Int(line.filter { $0.isNumber })
    else { return .max }
    return kibibytes >> 10
  }

  /// Writes to standard output without a buffer, since it may be killed.
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(1, bytes, bytes.count)
  }
}
