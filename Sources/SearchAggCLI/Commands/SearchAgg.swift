package import ArgumentParser

/// The command and its subcommands.
struct SearchAgg: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searchagg",
    // Without it, every command line is first parsed as a request for the parser's own completion
    // script, which takes a tenth of the start; `searchagg completion` prints ours.
    _superCommandName: "",
    abstract: "Search many networks for your tags, and print the posts, newest first.",
    discussion: """
      EXAMPLES:
          searchagg run '#swiftlang' -n 5
          searchagg tags add '#swiftlang' --source mastodon,hackernews
          searchagg run
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, WatchCommand.self, TagsCommand.self, SourcesCommand.self,
      HistoryCommand.self, StateCommand.self, NotifyCommand.self, ConfigCommand.self,
      AuthCommand.self,
      CompletionCommand.self,
      CompleteCommand.self, ManualCommand.self, HelpCommand.self,
    ])
}

/// A command that runs in a world that is handed to it.
package protocol ContextCommand: ParsableCommand {
  /// Runs it and returns the exit status, or throws a `CommandFailure`.
  func run(in context: Context) async throws -> CommandStatus
}

/// The version, as `--version` prints it and servers see it.
package enum Version {
  package static let number = "0.1.0"
  package static let text = "searchagg \(number)"
  package static let userAgent = "searchagg/\(number) (+https://github.com/searchagg/searchagg)"
}
