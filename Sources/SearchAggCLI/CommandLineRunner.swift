internal import ArgumentParser

/// Runs a command line in a context: parses it, runs the command, and turns what is thrown into a
/// line on standard error and an exit status.
package struct CommandLineRunner: Sendable {
  let context: Context

  package init(context: Context) { self.context = context }

  /// Runs the words that stand behind the command's name.
  package func run(_ arguments: [String]) async -> CommandStatus {
    do {
      let command = try SearchAgg.parseAsRoot(arguments)
      if let command = command as? any ContextCommand { return try await command.run(in: context) }
      var plain = command
      try plain.run()
      return .success
    } catch let failure as CommandFailure {
      context.report(failure.message)
      return failure.status
    } catch OutputFailure.closed {
      return .success
    } catch OutputFailure.failed(let reason) {
      context.report("cannot write the output: \(reason)")
      return .cannotWrite
    } catch {
      return answer(toUsage: error)
    }
  }

  /// Help and version are what was asked for: standard output and 0. The rest is usage.
  private func answer(toUsage error: any Error) -> CommandStatus {
    let message = SearchAgg.fullMessage(for: error)
    guard SearchAgg.exitCode(for: error) == .success else {
      try? context.errors.write(Array("\(message)\n".utf8))
      return .usage
    }
    do {
      try context.output.write(Array("\(message)\n".utf8))
      return .success
    } catch {
      return error == .closed ? .success : .cannotWrite
    }
  }
}
