internal import ArgumentParser

/// The command and its subcommands.
struct SearchAgg: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "searchagg",
    abstract: "Gather what is said about your tags on many networks, newest first.",
    discussion: """
      EXAMPLES:
        searchagg tags add '#swiftlang' --source mastodon,hackernews
        searchagg run
      """,
    version: Version.text,
    subcommands: [
      RunCommand.self, TagsCommand.self, SourcesCommand.self, HelpCommand.self,
    ])
}
