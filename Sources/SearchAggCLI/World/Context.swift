package import Application
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
  package var outputScreen: Screen?
  /// The terminal of standard error; nil without one.
  package var errorScreen: Screen?
  /// The width of the terminal of standard error at this moment: windows are resized.
  package var errorColumns: @Sendable () -> Int
  /// Asks for a secret on the terminal at standard input; nil without one.
  package var readSecret: (@Sendable (String) throws(InputFailure) -> String)?
  /// The process, where the command has it for itself.
  package var host: any ProcessHost

  package init(
    environment: [String: String], workingDirectory: String, input: any InputStreaming,
    output: any OutputStreaming, errors: any OutputStreaming, now: @escaping @Sendable () -> Date,
    steadyClock: SteadyClock = .live, transport: (any Transport)? = nil,
    outputScreen: Screen? = nil, errorScreen: Screen? = nil,
    errorColumns: (@Sendable () -> Int)? = nil,
    readSecret: (@Sendable (String) throws(InputFailure) -> String)? = nil,
    host: any ProcessHost = SharedProcess()
  ) {
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.input = input
    self.output = output
    self.errors = errors
    self.now = now
    self.steadyClock = steadyClock
    self.transport = transport
    self.outputScreen = outputScreen
    self.errorScreen = errorScreen
    self.errorColumns = errorColumns ?? { errorScreen?.columns ?? 80 }
    self.readSecret = readSecret
    self.host = host
  }

  /// A variable that is set and not empty.
  package func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The absolute path of a path in the working directory.
  package func absolutePath(_ path: String) -> String {
    Surroundings.absolutePath(path, in: workingDirectory)
  }

  /// Writes a text to standard output.
  func write(_ text: String) throws(OutputFailure) { try output.write(Array(text.utf8)) }

  /// Writes one line to standard error, with the command's name before it.
  package func report(_ line: String) { surroundings.report(line) }

  /// The part of this world that a run has.
  package var surroundings: Surroundings {
    let (errors, columns) = (errors, errorColumns)
    let isAnimated = (errorScreen?.isCapable ?? true) && variable("CI") == nil
    var surroundings = Surroundings(
      workingDirectory: workingDirectory, output: output, errors: errors, now: now,
      steadyClock: steadyClock,
      progressLine: {
        ProgressLine(errors: errors, isAnimated: isAnimated, columns: columns)
      }, host: host)
    surroundings.isClockStopped = variable("SEARCHAGG_NOW") != nil
    surroundings.transport = transport
    (surroundings.outputScreen, surroundings.errorScreen) = (outputScreen, errorScreen)
    surroundings.wantsColor = wantsColor
    surroundings.isPagerCapable = Pager.isCapable(environment)
    surroundings.stateFolder = ConfigurationFolder.state(in: self)
    surroundings.cacheFolder = ConfigurationFolder.cache(in: self)
    // The curl tool reads the first of these itself, libcurl does not.
    surroundings.certificates = variable("CURL_CA_BUNDLE") ?? variable("SSL_CERT_FILE")
    surroundings.summaryPath = variable("GITHUB_STEP_SUMMARY").map(absolutePath)
    return surroundings
  }

  /// `NO_COLOR` and `CLICOLOR_FORCE` count when they are set and not empty (no-color.org,
  /// bixense.com/clicolors).
  private var wantsColor: Bool? {
    if variable("NO_COLOR") != nil { return false }
    return variable("CLICOLOR_FORCE").flatMap { $0 == "0" ? nil : true }
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
      outputScreen: Screen.find(at: STDOUT_FILENO, environment: environment),
      errorScreen: Screen.find(at: STDERR_FILENO, environment: environment),
      errorColumns: { Screen.find(at: STDERR_FILENO, environment: environment)?.columns ?? 80 },
      readSecret: isatty(STDIN_FILENO) == 1 ? SecretPrompt.read : nil,
      host: OwnProcess(environment: environment))
  }
}

extension Screen {
  /// The terminal at a descriptor; nil without one. The variable `COLUMNS` overrides its width.
  static func find(at descriptor: Int32, environment: [String: String]) -> Screen? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return Screen(
      columns: columns ?? (isKnown ? Int(size.ws_col) : 80),
      rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil,
      isCapable: environment["TERM"] != "dumb")
  }
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
    // Ctrl-\ and Ctrl-Z would return to the shell with echo off; 0 disables a key (_POSIX_VDISABLE).
    withUnsafeMutableBytes(of: &saved.c_cc) { characters in
      for key in [VQUIT, VSUSP] { unsafe characters[Int(key)] = 0 }
    }
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) == 0 else {
      throw .failed(reason: String(cString: strerror(errno)))
    }
    // After echo is off, since some users type at once. If the prompt cannot be written, the secret can
    // still be typed.
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
