internal import Application
internal import ArgumentParser
internal import TagStorage

/// `searchagg tags add`.
struct TagsAdd: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Store queries.",
    discussion: """
      If one of them is already stored, none is added and the exit status is 1.

      EXAMPLES:
          searchagg tags add '#swiftlang' --source mastodon,bluesky --priority high
          searchagg tags add --if-absent - < queries.txt
          searchagg tags add -- '-taylor swift'
      """)

  @Argument(
    help: ArgumentHelp(
      "The query to store; - reads queries from standard input, one per line.", valueName: "query"))
  var queries: [String]

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Search only these sources, separated by commas.", valueName: "sources"))
  var source: [String] = []

  @Option(help: "Priority of the searches.")
  var priority: TagPriority?

  @Option(
    help: ArgumentHelp("Take at most N posts from one search.", valueName: "n"),
    transform: PostCount.init)
  var limit: PostCount?

  @Option(
    help: ArgumentHelp(
      "Raise an alert when no post was found for this long, such as 12h, 2d or 1w.",
      valueName: "time"), transform: ExpectedInterval.init(read:))
  var expectWithin: ExpectedInterval?

  @Flag(help: "Skip queries that are already stored, with status 0.")
  var ifAbsent = false

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let sources = try SourceNames.parse(source, in: context)
    let added = context.now()
    let tags = try QueryWords.queries(queries, in: context).map {
      SearchTag(
        $0, sources: sources.isEmpty ? nil : sources, priority: priority, limit: limit?.number,
        expectWithin: expectWithin, added: added)
    }
    guard !tags.isEmpty else {
      if ifAbsent { return .success }
      throw CommandFailure(.nothing, "standard input contains no query; nothing changed")
    }
    let location = try file.location(in: context)
    let new = try location.change(in: context) { list in
      let (list, added) = ifAbsent ? list.adding(missingOf: tags) : try list.adding(tags)
      return (list, added)
    }
    switch new.count {
    case 0: context.report("nothing to add: all of them are already in \(location.name)")
    case 1: context.report("added \(new[0].query.shown) to \(location.name)")
    case let count: context.report("added \(count) tags to \(location.name)")
    }
    return .success
  }
}

/// A number of posts to which a search can be limited.
struct PostCount: Hashable, Sendable {
  let number: Int

  init(_ text: String) throws {
    let limits = SearchTag.limits
    guard let number = Int(text), limits.contains(number) else {
      throw ValidationError("expected a whole number from 1 to \(limits.upperBound)")
    }
    self.number = number
  }
}

extension TagPriority: ExpressibleByArgument {}

extension ExpectedInterval {
  init(read text: String) throws {
    guard let interval = Self(text) else {
      throw ValidationError("expected a time such as 12h, 2d or 1w")
    }
    self = interval
  }
}
