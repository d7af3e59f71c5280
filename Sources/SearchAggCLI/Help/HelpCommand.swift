internal import ArgumentParser

/// `searchagg help [PAGE | COMMAND…]`.
struct HelpCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Show the help of a command, or a page: "
      + "\(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).",
    discussion: "PAGES:\n"
      + HelpTopic.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n"))

  @Argument(help: ArgumentHelp("A page, or the words of a command.", valueName: "page"))
  var words: [String] = []

  func run(in context: Context) async throws -> CommandStatus {
    try context.write(page: try text())
    return .success
  }

  private func text() throws(CommandFailure) -> String {
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) { return topic.text }
    var command: any ParsableCommand.Type = SearchAgg.self
    for word in words {
      let children = command.configuration.subcommands
      guard let child = children.first(where: { $0.configuration.commandName == word }) else {
        let pages = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(
          .usage,
          "there is no help on '\(words.joined(separator: " "))'; there are: "
            + "the commands, \(pages)")
      }
      command = child
    }
    return SearchAgg.helpMessage(for: command)
  }
}
