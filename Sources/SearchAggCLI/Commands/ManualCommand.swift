internal import Application
internal import ArgumentParser

/// `searchagg manual`: prints the man page, for `make install`.
struct ManualCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

  func run(in context: Context) async throws -> CommandStatus {
    try context.output.write(Array(ManualPage(of: .root).text.utf8))
    return .success
  }
}
