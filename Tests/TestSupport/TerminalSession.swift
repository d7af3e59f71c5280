internal import Foundation

/// A program whose terminal the test holds: it types, reads what is shown and looks at the settings.
package final class TerminalSession {
  private let process = Process()
  private let keyboard: Int32
  private let terminal: Int32
  private let exit: AsyncStream<Void>
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
    let (exit, ended) = AsyncStream.makeStream(of: Void.self)
    self.exit = exit
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", program.path] + arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["HOME": folder.path, "TERM": "xterm-256color"]
      .merging(environment) { $1 }
    let stream = FileHandle(fileDescriptor: terminal)
    process.standardInput = stream
    process.standardOutput = stream
    process.standardError = stream
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
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

  /// Waits until a text is shown.
  package func wait(for text: String) { while !shown.contains(text) { read() } }

  /// Waits until the program has ended, and reads what is left.
  package func ended() async {
    for await _ in exit {}
    var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    while poll(&ready, 1, 0) > 0, ready.revents & Int16(POLLIN) != 0 { read() }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(keyboard, &bytes, bytes.count)
    if count > 0 { shown += String(decoding: bytes.prefix(count), as: UTF8.self) }
  }
}
