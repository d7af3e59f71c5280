#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines for people, on the standard error stream.
enum DiagnosticLine {
  static func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    // `stderr` is a variable, which Swift takes for unguarded shared state; the descriptor is none.
    // A line that cannot be written there has nowhere else to go.
    _ = bytes.withUnsafeBytes { send(line: $0) }
  }

  private static func send(line: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(STDERR_FILENO, line.baseAddress, line.count)
    #else
      Darwin.write(STDERR_FILENO, line.baseAddress, line.count)
    #endif
  }
}
