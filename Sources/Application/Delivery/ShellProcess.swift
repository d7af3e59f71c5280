package import Glibc

/// A command that /bin/sh runs as a child process.
package enum ShellProcess {
  /// The reason why no process could be started.
  package struct Failure: Error {
    package let reason: String

    init(code: Int32) { reason = String(cString: strerror(code)) }
  }

  /// The signals that a command gets as usual, although this process may ignore or catch them.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ]

  /// Starts a command that inherits no open file but the three standard streams.
  ///
  /// - Parameters:
  ///   - environment: All of its variables.
  ///   - input: The descriptor of its standard input.
  ///   - output: The descriptor of its standard output.
  ///   - isGroup: Whether it gets a process group of its own.
  package static func start(
    _ command: String, environment: [String: String], reading input: Int32,
    writingTo output: Int32 = STDOUT_FILENO, inOwnGroup isGroup: Bool = false
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    closeOthers(&actions)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    for signal in signals { sigaddset(&set, signal) }
    posix_spawnattr_setsigdefault(&attributes, &set)
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    if isGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words = copies(of: ["/bin/sh", "-c", command])
    var variables = copies(of: environment.map { "\($0.key)=\($0.value)" })
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(code: code) }
    return process
  }

  /// Closes the sockets and files of this process in the new one.
  private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    // Looked up, since Swift's module of glibc leaves it out (glibc 2.34, spawn.h).
    guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
    typealias Function =
      @convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
      ) -> Int32
    _ = unsafeBitCast(symbol, to: Function.self)(&actions, STDERR_FILENO + 1)
  }

  /// Returns texts as C wants them, to be freed by the caller.
  private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { copies.append(strdup(text)) }
    return copies + [nil]
  }
}
