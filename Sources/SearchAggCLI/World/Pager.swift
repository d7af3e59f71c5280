internal import Application
internal import FoundationEssentials
internal import Glibc

/// The pager for output longer than the screen, as in git and gh.
struct Pager {
  /// The variable that chooses the pager of this program alone.
  static let variable = "SEARCHAGG_PAGER"

  private let command: String
  private let environment: [String: String]

  /// Finds the pager: `SEARCHAGG_PAGER`, `PAGER`, or else `less`; nil where there is none, or where
  /// `cat` or nothing is asked for.
  init?(_ environment: [String: String]) {
    if let chosen = Self.chosen(in: environment) {
      let words = chosen.split(separator: " ")
      guard !words.isEmpty, words != ["cat"] else { return nil }
      command = chosen
    } else {
      guard Self.isInstalled("less", environment) else { return nil }
      command = "less"
    }
    // Our output is UTF-8 in every locale.
    self.environment = environment.merging(
      ["LESS": "FRX", "LESSCHARSET": "utf-8", "LV": "-c"]) { own, _ in own }
  }

  /// Returns whether the pager passes on escape sequences as `less` does; `more` prints those of links.
  static func isCapable(_ environment: [String: String]) -> Bool {
    guard
      let program = chosen(in: environment)?.split(separator: " ").first?.split(separator: "/").last
    else {
      return true
    }
    return program != "more" && program != "pg"
  }

  private static func chosen(in environment: [String: String]) -> String? {
    environment[variable] ?? environment["PAGER"]
  }

  private static func isInstalled(_ name: String, _ environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":")
      .contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Shows bytes and waits until the reader has quit. Quitting early is not an error.
  func show(_ bytes: [UInt8]) -> PagerEnding {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .absent }
    let (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    // Ctrl-C belongs to the pager: there it stops a search, and must not end this process first.
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    let child: pid_t
    do throws(ShellProcess.Failure) {
      child = try ShellProcess.start(command, environment: environment, reading: reader)
    } catch {
      close(reader)
      close(writer)
      return .absent
    }
    close(reader)
    // A reader who has seen enough closes the pipe; the rest need not be written.
    try? DescriptorStream(descriptor: writer).write(bytes)
    close(writer)
    // A reader who has been shown everything does not hold up a signal that ends the process.
    OutputStall.beginWriting(to: -1)
    defer { OutputStall.endWriting(to: -1) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // The exit status is in the second byte, unless a signal ended it: a reader may have sent that.
    guard status & 0x7F == 0 else { return .shown }
    return switch status >> 8 & 0xFF {
    case 0: .shown
    // The shell found no such command.
    case 127: .absent
    // A part of it was ended by a signal.
    case 128...: .shown
    case let failure: .failed(command: command, status: failure)
    }
  }
}
