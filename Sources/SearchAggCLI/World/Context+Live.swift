internal import FoundationEssentials

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Context {
  /// The world of this process.
  static func live() -> Context {
    let environment = ProcessInfo.processInfo.environment
    return Context(
      environment: environment,
      workingDirectory: FileManager.default.currentDirectoryPath,
      input: DescriptorStream(descriptor: STDIN_FILENO),
      output: DescriptorStream(descriptor: STDOUT_FILENO),
      errors: DescriptorStream(descriptor: STDERR_FILENO),
      now: { Date.now },
      outputTerminal: Terminal.find(at: STDOUT_FILENO, environment: environment),
      errorTerminal: Terminal.find(at: STDERR_FILENO, environment: environment),
      isProcess: true)
  }
}

extension Terminal {
  /// The terminal at a descriptor; nil when there is none.
  static func find(at descriptor: Int32, environment: [String: String]) -> Terminal? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return Terminal(
      columns: columns ?? (isKnown ? Int(size.ws_col) : 80),
      isCapable: environment["TERM"] != "dumb")
  }
}
