import Application
import Foundation
import SearchAggCLI
import TestSupport

/// A world for whole commands: a folder of its own, no environment but `HOME`, streams in memory.
struct TestWorld {
  /// The result of a command.
  struct Outcome {
    let status: CommandStatus
    let output: String
    let errors: String
  }

  let folder: Folder
  var environment: [String: String]
  var now = Date(timeIntervalSince1970: 1_795_251_600)
  /// Who is asked instead of the buffer of standard output.
  var output: (any OutputStreaming)?
  /// The terminal that standard output is said to be.
  var terminal: Screen?

  init() throws {
    folder = try Folder()
    environment = ["HOME": folder["home"]]
  }

  /// Runs the words that follow `searchagg`.
  func run(_ arguments: String..., input: String = "") async -> Outcome {
    await run(arguments, input: input)
  }

  func run(_ arguments: [String], input: String = "") async -> Outcome {
    let output = BufferStream()
    let errors = BufferStream()
    let context = context(
      input: BufferStream(input), output: self.output ?? output, errors: errors)
    let status = await CommandLineRunner(context: context).run(arguments)
    return Outcome(status: status, output: output.text, errors: errors.text)
  }

  /// The world with these streams.
  func context(
    input: any InputStreaming = BufferStream(), output: any OutputStreaming,
    errors: any OutputStreaming
  ) -> Context {
    let now = now
    return Context(
      environment: environment, workingDirectory: folder.path, input: input, output: output,
      errors: errors, now: { now }, outputScreen: terminal)
  }
}
