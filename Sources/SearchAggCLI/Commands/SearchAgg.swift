internal import Application
internal import ArgumentParser

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
      RunCommand.self, MergeCommand.self, WatchCommand.self, TagsCommand.self, SourcesCommand.self,
      HistoryCommand.self, MuteCommand.self, UnmuteCommand.self, StateCommand.self,
      WorkersCommand.self,
      NotifyCommand.self, UndeliveredCommand.self,
      ConfigCommand.self,
      AuthCommand.self,
      CompletionCommand.self,
      CompleteCommand.self, ManualCommand.self, HelpCommand.self,
    ])
}

extension CommandOutline {
  /// `searchagg` and all of its commands.
  static var root: CommandOutline { CommandOutline(of: SearchAgg.self) }
}
