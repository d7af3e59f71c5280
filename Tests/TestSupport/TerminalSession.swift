internal import Foundation

/// A program whose terminal the test holds: it types, reads what is shown and looks at the settings.
package final class TerminalSession {
  package struct Failure: Error { package let reason: String }

  private let process: ChildProcess
  private let keyboard: Int32
  private let terminal: Int32
  /// Everything that was shown so far.
  package private(set) var shown = ""

  /// Starts a program in a session of its own, so that Ctrl-C on the terminal is its signal.
  package init(
    _ program: Program, _ arguments: [String], environment: [String: String] = [:],
    in folder: Folder
  ) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    // As posix_openpt, unlockpt and ptsname, which Swift does not see; ioctl_tty(2) has the numbers.
    guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &isLocked) == 0,
      ioctl(keyboard, 0x8004_5430, &number) == 0
    else { throw POSIXError(.ENOTTY) }
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw POSIXError(.ENOTTY) }
    process = try ChildProcess(
      "/usr/bin/setsid", ["--ctty", "--wait", program.path] + arguments, in: folder.path,
      environment: ["HOME": folder.path, "TERM": "xterm-256color"].merging(environment) { $1 },
      input: terminal, output: terminal, errors: terminal)
  }

  deinit {
    close(keyboard)
    close(terminal)
  }

  /// Whether the terminal shows what is typed.
  package var echoes: Bool {
    var settings = termios()
    return tcgetattr(terminal, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types a text; a line ends with a line feed, and `\u{3}` is Ctrl-C.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(keyboard, bytes, bytes.count)
  }

  /// Waits until a text is shown, for a minute at most.
  package func wait(for text: String) async throws {
    try await read { shown.contains(text) }
  }

  /// Waits until the program has ended and everything it wrote is read, for a minute at most.
  package func ended() async throws {
    try await read { !process.isRunning }
    // What it wrote between the last look and its end.
    readAll()
  }

  /// Reads until a condition holds. The program waits while the terminal is full.
  private func read(until isDone: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      readAll()
      if isDone() { return }
      guard ContinuousClock.now < end else {
        process.kill()
        throw Failure(reason: "after a minute the terminal shows only: \(shown)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func readAll() {
    var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0 {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = Foundation.read(keyboard, &bytes, bytes.count)
      if count > 0 { shown += String(decoding: bytes.prefix(count), as: UTF8.self) }
    }
  }
}
