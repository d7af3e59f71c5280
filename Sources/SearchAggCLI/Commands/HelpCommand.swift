internal import Application
internal import ArgumentParser
internal import Printing

/// `searchagg help [PAGE | COMMAND…]`.
struct HelpCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Show the help of a command, or a page on a topic.",
    discussion: "PAGES:\n"
      + HelpTopic.allCases.map { topic in
        let gap = String(repeating: " ", count: 24 - topic.rawValue.count)
        return "  \(topic.rawValue)\(gap)\(topic.summary)"
      }.joined(separator: "\n"))

  @Argument(help: ArgumentHelp("A page, or the words of a command.", valueName: "page"))
  var words: [String] = []

  func run(in context: Context) async throws -> CommandStatus {
    if words == [HelpTopic.schema.rawValue] {
      // For programs, which need its lines as they are.
      try context.write(PostSchema.text)
    } else {
      try context.write(page: try page())
    }
    return .success
  }

  private func page() throws -> HelpPage {
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
      return HelpPage(text: topic.text)
    }
    let (command, rest) = CommandOutline.root.command(in: words)
    guard rest.isEmpty else {
      let topics = HelpTopic.allCases.map(\.rawValue)
      let pages =
        topics + CommandOutline.root.subcommands.map(\.name).filter { !topics.contains($0) }
      throw CommandFailure(
        .usage,
        Suggestion.refusal(of: words.joined(separator: " "), as: "help page", among: pages))
    }
    return HelpPage(of: command)
  }
}
