package import Application
internal import ArgumentParser
internal import Glibc

/// Prepares this process for its command line, before it has a second thread.
public func prepareSearchAgg() {
  ProcessSetup.occupyStandardDescriptors()
  switch CommandLine.arguments.dropFirst().first {
  // Not for a watch, which runs for long and gives memory back.
  case "run": ProcessSetup.reserveHeap()
  // A SIGHUP to a watch that is just starting must not end it.
  case "watch" where !ProcessSetup.hasTerminal: SignalWatch.holdHangups()
  default: break
  }
}

/// Runs this process's command line and ends the process with its exit status.
public func runSearchAgg() async -> Never {
  signal(SIGPIPE, SIG_IGN)
  // A limit on the size of files is an error like a full disk, and not the end of the process.
  signal(SIGXFSZ, SIG_IGN)
  let context = Context.live()
  // Not even the name of the program is there: Swift reads the arguments from /proc.
  guard !CommandLine.arguments.isEmpty else {
    context.report("cannot read the arguments, which are in /proc/self/cmdline: mount /proc")
    exit(CommandStatus.badConfiguration.rawValue)
  }
  guard areArgumentsValid else {
    context.report("an argument is not valid UTF-8")
    exit(CommandStatus.usage.rawValue)
  }
  let status = await CommandLineRunner(context: context).run(
    Array(CommandLine.arguments.dropFirst()))
  exit(status.rawValue)
}

/// False if an argument is not UTF-8: as a text it would name another file, or another tag.
private var areArgumentsValid: Bool {
  (0..<Int(CommandLine.argc)).allSatisfy { index in
    CommandLine.unsafeArgv[index].map { String(validatingCString: $0) != nil } ?? true
  }
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
    } catch let error as any ReportedError {
      if let line = error.line { context.report(line) }
      return error.exitStatus
    } catch {
      context.report("this is a bug in searchagg: \(error)")
      return .bug
    }
  }

  private func runCommand(_ arguments: [String]) async throws -> CommandStatus {
    if arguments == ["--version"] { return try showVersion() }
    let fault =
      UsageFault.overlongOption(in: arguments) ?? UsageFault.fieldsAfterJSON(in: arguments)
    if let fault { throw CommandFailure(.usage, fault) }
    let note = StraySources(in: arguments)?.note
    if let command = PlainCommand(arguments) {
      if let note { context.report(note) }
      return try await command.run(in: context)
    }
    var command: any ParsableCommand
    do {
      command = try Self.command(arguments)
    } catch {
      return try answer(toUsage: error, in: arguments)
    }
    if let command = command as? any ContextCommand {
      if let note { context.report(note) }
      return try await command.run(in: context)
    }
    do {
      try command.run()
    } catch {
      return try answer(toUsage: error, in: arguments)
    }
    return .success
  }

  /// Parses a command line.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let arguments = withoutRepeatedHelp(arguments)
    let packed = PackedWords.packed(arguments)
    // Errors must quote the words as they were typed.
    if packed.count < arguments.count, let command = try? SearchAgg.parseAsRoot(packed) {
      return command
    }
    return try SearchAgg.parseAsRoot(arguments)
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
      throw CommandFailure(
        .usage, UsageFault(of: arguments, SearchAgg.message(for: error), for: .root).line)
    }
    if SearchAgg.message(for: error) == Version.text { return try showVersion() }
    try context.write(page: HelpPage(of: CommandOutline.root.command(in: arguments).0))
    return .success
  }

  private func showVersion() throws -> CommandStatus {
    try context.write(page: HelpPage(text: Version.text))
    return .success
  }
}
