internal import ArgumentParser

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs this process's command line and ends the process with its exit status.
public func runSearchAgg() async -> Never {
  ProcessSetup.occupyStandardDescriptors()
  signal(SIGPIPE, SIG_IGN)
  let status = await CommandLineRunner(context: .live()).run(
    Array(CommandLine.arguments.dropFirst()))
  exit(status.rawValue)
}

/// Runs a command line in a context: parses it, runs the command, and turns what is thrown into a
/// line on standard error and an exit status.
package struct CommandLineRunner: Sendable {
  let context: Context

  package init(context: Context) { self.context = context }

  /// Runs the words that stand behind the command's name.
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
      return try answer(toUsage: error)
    }
    if let command = command as? any ContextCommand { return try await command.run(in: context) }
    do {
      try command.run()
    } catch {
      return try answer(toUsage: error)
    }
    return .success
  }

  /// The command with its options that a command line names.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    try SearchAgg.parseAsRoot(withoutRepeatedHelp(arguments))
  }

  /// `help run --help` asks for help on `run` twice, and not for help on `help`.
  private static func withoutRepeatedHelp(_ arguments: [String]) -> [String] {
    guard arguments.first == "help" else { return arguments }
    let words = arguments.filter { $0 != "--help" && $0 != "-h" }
    return words.count > 1 ? words : arguments
  }

  /// Help and version are what was asked for: standard output and 0. The rest is wrong usage.
  private func answer(toUsage error: any Error) throws -> CommandStatus {
    guard SearchAgg.exitCode(for: error) == .success else {
      throw CommandFailure(.usage, UsageLine.text(for: error))
    }
    try context.write(page: SearchAgg.fullMessage(for: error))
    return .success
  }
}

/// The one line that says what is wrong with a command line, and where its help is.
///
/// The parser's own message repeats the help of the option and the synopsis of the command, five lines
/// in all; whoever wants them is told how to ask.
enum UsageLine {
  static func text(for error: any Error) -> String {
    let message = SearchAgg.message(for: error)
      .replacing(". Did you", with: "; did you").replacing(". Please", with: "; please")
    var line = message.prefix(1).lowercased() + message.dropFirst()
    if line.hasSuffix(".") { line.removeLast() }
    return line + (line.hasSuffix("?") ? " See: " : "; see: ") + helpCommand(for: error)
  }

  /// The command that shows the help, as the last line of the parser's message names it.
  private static func helpCommand(for error: any Error) -> Substring {
    let message = SearchAgg.fullMessage(for: error)
    guard let start = message.ranges(of: "See 'searchagg").last?.lowerBound,
      let end = message[start...].firstRange(of: "--help")?.upperBound
    else { return "searchagg --help" }
    return message[message.index(start, offsetBy: 5)..<end]
  }
}
