internal import Application
internal import ArgumentParser
internal import PostHistory
internal import SearchModel

/// `searchagg state`: what runs with `--new` remember.
struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Forget which posts runs with --new have printed.",
    discussion: """
      EXAMPLES:
        searchagg state forget '#swiftlang'
        searchagg state forget
      """,
    subcommands: [StateForget.self])
}

/// `searchagg state forget`.
struct StateForget: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Let the next run with --new be the first one of these tags, or of all tags.")

  @Argument(help: ArgumentHelp("The tags; all when none is given.", valueName: "tag"))
  var tags: [String] = []

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let store = try OpenHistory(options: options.texts, in: context).store
    let tags = tags.isEmpty ? nil : try QueryWords.queries(tags, in: context).map(\.text)
    let count = try OpenHistory.stating { () throws(HistoryError) in
      try store?.forget(tags: tags) ?? 0
    }
    context.report(
      count == 0
        ? "no search of these tags was remembered"
        : count == 1 ? "1 search starts over" : "\(count) searches start over")
    return count == 0 ? .nothing : .success
  }
}
