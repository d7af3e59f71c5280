internal import Application
internal import ArgumentParser

/// `searchagg manual`: prints the man page, for `make install`.
struct ManualCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page.", shouldDisplay: false)

  func run(in context: Context) async throws -> CommandStatus {
    try context.write(ManualPage(of: .root).text)
    return .success
  }
}
