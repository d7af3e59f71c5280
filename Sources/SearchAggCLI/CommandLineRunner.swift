internal import ArgumentParser

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
      command = try SearchAgg.parseAsRoot(Self.withoutRepeatedHelp(arguments))
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
