package import FoundationEssentials
internal import Glibc
package import SearchEngine
internal import TextFormats

/// The outside world of a command: streams, environment, clock and terminals, passed in so that tests
/// can run whole commands.
package struct Context: Sendable {
  package var environment: [String: String]
  package var workingDirectory: String
  package var input: any InputStreaming
  package var output: any OutputStreaming
  package var errors: any OutputStreaming
  /// The clock, which `SEARCHAGG_NOW` overrides for a run.
  package var now: @Sendable () -> Date
  /// The clock that the intervals of a watch are measured with.
  package var steadyClock: SteadyClock
  /// The sender of a watch's requests; nil for the queued client.
  package var transport: (any Transport)?
  /// The terminal of standard output; nil without one.
  package var outputTerminal: Terminal?
  /// The terminal of standard error; nil without one.
  package var errorTerminal: Terminal?
  /// Asks for a secret on the terminal at standard input; nil without one.
  package var readSecret: (@Sendable (String) throws(InputFailure) -> String)?
  /// True if this is the process's own world, so that a command may change its signals and limits.
  package var isProcess: Bool

  package init(
    environment: [String: String], workingDirectory: String, input: any InputStreaming,
    output: any OutputStreaming, errors: any OutputStreaming, now: @escaping @Sendable () -> Date,
    steadyClock: SteadyClock = .live, transport: (any Transport)? = nil,
    outputTerminal: Terminal? = nil, errorTerminal: Terminal? = nil,
    readSecret: (@Sendable (String) throws(InputFailure) -> String)? = nil, isProcess: Bool = false
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.input = input
    self.output = output
    self.errors = errors
    self.now = now
    self.steadyClock = steadyClock
    self.transport = transport
    self.outputTerminal = outputTerminal
    self.errorTerminal = errorTerminal
    self.readSecret = readSecret
    self.isProcess = isProcess
  }

  /// A variable that is set and not empty.
  package func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The absolute path of a path in the working directory.
  package func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)"
  }

  /// The width of the terminal that standard error is, at this moment: windows are resized.
  var errorColumns: Int {
    let terminal =
      isProcess ? Terminal.find(at: STDERR_FILENO, environment: environment) : errorTerminal
    return terminal?.columns ?? 80
  }

  /// Writes one line to standard error, with the command's name before it.
  ///
  /// Control characters and line breaks in it are removed. If standard error cannot be written, there
  /// is nowhere else to report that.
  package func report(_ line: String) {
    try? errors.write(Array("searchagg: \(ControlCodes.strippedToLine(line))\n".utf8))
  }
}

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
      readSecret: isatty(STDIN_FILENO) == 1 ? SecretPrompt.read : nil,
      isProcess: true)
  }
}

extension Terminal {
  /// The terminal at a descriptor; nil without one.
  static func find(at descriptor: Int32, environment: [String: String]) -> Terminal? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return Terminal(
      columns: columns ?? (isKnown ? Int(size.ws_col) : 80),
      rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil,
      isCapable: environment["TERM"] != "dumb")
  }
}

/// The abilities of a terminal.
package struct Terminal: Sendable, Hashable {
  /// Columns of a line; the variable `COLUMNS` overrides the terminal.
  package var columns: Int
  /// Lines of the screen; nil when they are unknown.
  package var rows: Int?
  /// True if it understands escape sequences, unlike `TERM=dumb`.
  package var isCapable: Bool

  package init(columns: Int, rows: Int? = nil, isCapable: Bool) {
    self.columns = columns
    self.rows = rows
    self.isCapable = isCapable
  }
}

/// A clock for intervals: nobody sets it, and it runs on while the machine sleeps.
package struct SteadyClock: Sendable {
  /// The time since some moment in the past.
  package var now: @Sendable () -> Duration
  /// Waits for about this long; less when the task is canceled.
  package var sleep: @Sendable (Duration) async -> Void

  package init(
    now: @escaping @Sendable () -> Duration,
    sleep: @escaping @Sendable (Duration) async -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The clock of this machine.
  package static let live = SteadyClock(
    now: {
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    },
    sleep: { duration in
      // A canceled sleep is the end that its caller looks for.
      try? await Task.sleep(for: duration)
    })
}

/// Reads a secret from the terminal at standard input, which does not show what is typed.
private enum SecretPrompt {
  private static let longestLine = 1 << 16

  /// Asks for a line, and returns it without its end.
  ///
  /// The terminal shows what is typed again when this returns, and also when SIGINT or SIGTERM ends the
  /// process meanwhile.
  static func read(_ prompt: String) throws(InputFailure) -> String {
    let input = DescriptorStream(descriptor: STDIN_FILENO)
    let errors = DescriptorStream(descriptor: STDERR_FILENO)
    var saved = termios()
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else {
      throw .failed(reason: String(cString: strerror(errno)))
    }
    let original = saved
    SignalWatch.start { number in
      restore(original)
      SignalWatch.die(of: number)
    }
    saved.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) == 0 else {
      throw .failed(reason: String(cString: strerror(errno)))
    }
    // Only now, as some answer at once. Without the prompt it would not be known what is asked, but the
    // secret could still be typed.
    try? errors.write(Array(prompt.utf8))
    defer {
      restore(original)
      try? errors.write([UInt8(ascii: "\n")])
    }
    return String(decoding: try input.readLine(limit: longestLine), as: UTF8.self)
  }

  private static func restore(_ settings: termios) {
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
