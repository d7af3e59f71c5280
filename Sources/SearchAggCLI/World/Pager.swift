internal import Application
internal import FoundationEssentials
internal import Glibc

/// The pager for output longer than the screen, as in git and gh.
struct Pager {
  private let command: String
  private let environment: [String: String]

  /// Finds the pager: `SEARCHAGG_PAGER`, `PAGER`, or else `less`; nil where there is none, or where
  /// `cat` or nothing is asked for.
  init?(_ environment: [String: String]) {
    let chosen = environment["SEARCHAGG_PAGER"] ?? environment["PAGER"]
    if let chosen {
      let words = chosen.split(separator: " ")
      guard !words.isEmpty, words != ["cat"] else { return nil }
      command = chosen
    } else {
      guard Self.isInstalled("less", environment) else { return nil }
      command = "less"
    }
    self.environment = environment.merging(["LESS": "FRX", "LV": "-c"]) { own, _ in own }
  }

  /// Returns whether the pager passes on escape sequences as `less` does; `more` prints those of links.
  static func isCapable(_ environment: [String: String]) -> Bool {
    let chosen = environment["SEARCHAGG_PAGER"] ?? environment["PAGER"]
    guard let program = chosen?.split(separator: " ").first?.split(separator: "/").last else {
      return true
    }
    return program != "more" && program != "pg"
  }

  private static func isInstalled(_ name: String, _ environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":")
      .contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Shows bytes and waits until the reader has quit. Quitting early is not an error.
  ///
  /// - Returns: Whether there was such a program.
  func show(_ bytes: [UInt8]) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    let (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    // Ctrl-C belongs to the pager: there it stops a search, and must not end this process first.
    let handler = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, handler) }
    guard let child = start(reading: reader) else {
      close(reader)
      close(writer)
      return false
    }
    close(reader)
    // A reader who has seen enough closes the pipe; the rest need not be written.
    try? DescriptorStream(descriptor: writer).write(bytes)
    close(writer)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // 127 in the second byte: the shell found no such command.
    return status & 0x7F != 0 || status >> 8 & 0xFF != 127
  }

  /// Returns texts as C wants them, to be freed by the caller.
  private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { copies.append(strdup(text)) }
    return copies + [nil]
  }

  /// Starts the pager with a pipe as its standard input.
  private func start(reading reader: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, reader, STDIN_FILENO)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var words = Self.copies(of: ["/bin/sh", "-c", command])
    var variables = Self.copies(of: environment.map { "\($0.key)=\($0.value)" })
    defer { for word in words + variables { free(word) } }
    var child = pid_t()
    return posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, &variables) == 0
      ? child : nil
  }
}
