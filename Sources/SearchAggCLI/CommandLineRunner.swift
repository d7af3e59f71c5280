internal import ArgumentParser
internal import Glibc

/// Runs this process's command line and ends the process with its exit status.
public func runSearchAgg() async -> Never {
  ProcessSetup.occupyStandardDescriptors()
  signal(SIGPIPE, SIG_IGN)
  // A limit on the size of files is an error like a full disk, and not the end of the process.
  signal(SIGXFSZ, SIG_IGN)
  let status = await CommandLineRunner(context: .live()).run(
    Array(CommandLine.arguments.dropFirst()))
  exit(status.rawValue)
}

/// Runs a command line in a context: parses it, runs the command, and turns errors into a line on
/// standard error and an exit status.
package struct CommandLineRunner: Sendable {
  let context: Context

  package init(context: Context) { self.context = context }

  /// Runs the words that follow the name of the program.
  package func run(_ arguments: [String]) async -> CommandStatus {
    do {
      return try await runCommand(arguments)
    } catch let failure as CommandFailure {
      context.report(failure.message)
      return failure.status
    } catch OutputFailure.closed {
      return .success
    } catch OutputFailure.failed(let reason) {
      context.report("cannot write the output: \(reason)")
      return .cannotWrite
    } catch {
      context.report("this is a bug in searchagg: \(error)")
      return .bug
    }
  }

  private func runCommand(_ arguments: [String]) async throws -> CommandStatus {
    var command: any ParsableCommand
    do {
      command = try Self.command(arguments)
    } catch {
      return try answer(toUsage: error, in: arguments)
    }
    if let command = command as? any ContextCommand { return try await command.run(in: context) }
    do {
      try command.run()
    } catch {
      return try answer(toUsage: error, in: arguments)
    }
    return .success
  }

  /// Parses a command line.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    try SearchAgg.parseAsRoot(withoutRepeatedHelp(arguments))
  }

  /// `help run --help` asks for help on `run` twice, and not for help on `help`.
  private static func withoutRepeatedHelp(_ arguments: [String]) -> [String] {
    guard arguments.first == "help" else { return arguments }
    let words = arguments.filter { $0 != "--help" && $0 != "-h" }
    return words.count > 1 ? words : arguments
  }

  /// Prints the help or the version if that was asked for; everything else is wrong usage.
  private func answer(
    toUsage error: any Error, in arguments: [String]
  ) throws -> CommandStatus {
    guard SearchAgg.exitCode(for: error) == .success else {
      throw CommandFailure(.usage, UsageFault(of: arguments, error).line)
    }
    if SearchAgg.message(for: error) == Version.text {
      try context.write(page: HelpPage(text: Version.text))
    } else {
      try context.write(page: HelpPage(of: CommandOutline.root.command(in: arguments).0))
    }
    return .success
  }
}

/// An error that ends a command: an exit status, and one line that says why.
package struct CommandFailure: Error, Hashable, Sendable {
  package var status: CommandStatus
  /// The event, its object and some advice, without the name of the program.
  package var message: String

  package init(_ status: CommandStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// The exit statuses, on which scripts rely (`searchagg help exit-codes`).
package enum CommandStatus: Int32, Sendable, Hashable {
  case success = 0
  /// `tags` changed nothing, or nothing was found under `--fail-on-empty`.
  case nothing = 1
  /// Some searches failed, some answered.
  case partial = 2
  case usage = 64
  case malformedInput = 65
  case unreadableInput = 66
  case unavailable = 69
  case bug = 70
  case cannotWrite = 74
  case tryLater = 75
  case noCredential = 77
  case badConfiguration = 78
}

/// Prepares this process for a run.
enum ProcessSetup {
  /// Opens something at each of the first three descriptors that the caller has closed.
  ///
  /// Otherwise the next file or socket that is opened would get such a number, and be written to as
  /// standard output. The replacement fails to be read or written, as a closed descriptor does.
  static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // This returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Raises the soft limit of open files and sockets to at least `count`, as far as the hard limit
  /// allows.
  static func raiseDescriptorLimit(to count: Int) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(resource, &limit)
  }

  /// Makes this the time zone of the process (tzset(3)).
  static func setTimeZone(_ zone: String) {
    setenv("TZ", zone, 1)
    tzset()
  }

  /// Makes the heaps of threads that start later grow in large steps of address space.
  ///
  /// glibc grows them page by page, with a system call each that holds up the page faults of all
  /// other threads: 27,000 of them, and an eighth of its time, for a run of 100,000 posts. A step
  /// must be smaller than the largest heap of a thread, 64 MiB (glibc, malloc/arena.c).
  static func useLargeHeapSteps() {
    // Looked up, since Swift's module of glibc leaves malloc.h out; another C library has none.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
    // By malloc.h: M_TOP_PAD, M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, in this order. The last two
    // keep the pages of one body for the next.
    for (parameter, value) in [(-2, 56 << 20), (-1, 256 << 20), (-3, 8 << 20)] as [(Int32, Int32)] {
      _ = mallopt(parameter, value)
    }
  }
}
