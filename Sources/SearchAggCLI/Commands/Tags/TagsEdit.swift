internal import Application
internal import ArgumentParser
internal import SearchModel
internal import TagStorage

/// `searchagg tags edit`.
struct TagsEdit: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a stored query or its settings.",
    discussion: """
      An empty value ('') removes a setting.

      EXAMPLES:
          searchagg tags edit swift --query '#swiftlang' --limit 40
          searchagg tags edit libcurl --source ''
      """)

  @Argument(help: "The stored query.")
  var query: String

  @Option(
    name: .customLong("query"), help: ArgumentHelp("The new query.", valueName: "new"))
  var newQuery: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Search only these sources, separated by commas.", valueName: "sources"))
  var source: [String] = []

  @Option(
    help: "Priority of its searches: low, normal or high.",
    transform: { try Clearable($0, TagPriority.init(read:)) })
  var priority: Clearable<TagPriority>?

  @Option(
    help: ArgumentHelp("Take at most N posts from one search.", valueName: "n"),
    transform: { try Clearable($0, PostCount.init) })
  var limit: Clearable<PostCount>?

  @Option(
    help: ArgumentHelp(
      "Raise an alert when no post was found for this long, such as 12h, 2d or 1w.",
      valueName: "time"), transform: { try Clearable($0, ExpectedInterval.init(read:)) })
  var expectWithin: Clearable<ExpectedInterval>?

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    guard
      newQuery != nil || !source.isEmpty || priority != nil || limit != nil || expectWithin != nil
    else {
      throw CommandFailure(
        .usage,
        "nothing to change: use --query, --source, --priority, --limit or --expect-within")
    }
    let query = try QueryWords.query(query)
    let newQuery = try self.newQuery.map(QueryWords.query)
    let sources = source.allSatisfy(\.isEmpty) ? [] : try SourceNames.parse(source, in: context)
    let location = try file.location(in: context)
    let isChanged = try location.change(in: context) { list in
      let new = try list.editing(query) { tag in
        if let newQuery { tag.query = newQuery }
        if !source.isEmpty { tag.sources = sources.isEmpty ? nil : sources }
        if let priority { tag.priority = priority.value }
        if let limit { tag.limit = limit.value?.number }
        if let expectWithin { tag.expectWithin = expectWithin.value }
      }
      return (new, new != list)
    }
    guard isChanged else {
      throw CommandFailure(.nothing, "'\(query.shown)' already has these settings; nothing changed")
    }
    context.report("changed \(query.shown) in \(location.name)")
    return .success
  }
}

extension TagPriority {
  fileprivate init(read text: String) throws {
    guard let priority = Self(rawValue: text) else {
      throw ValidationError("expected low, normal or high")
    }
    self = priority
  }
}

/// A new value of a tag's setting; an empty word removes the setting.
enum Clearable<Value: Sendable> {
  case cleared
  case value(Value)

  init(_ text: String, _ read: (String) throws -> Value) rethrows {
    self = text.isEmpty ? .cleared : .value(try read(text))
  }

  var value: Value? {
    switch self {
    case .cleared: nil
    case .value(let value): value
    }
  }
}
