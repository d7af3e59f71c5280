internal import Glibc

/// Reads a secret from the terminal at standard input, which does not show what is typed.
enum SecretPrompt {
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
