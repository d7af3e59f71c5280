internal import Application
internal import ArgumentParser
internal import PostHistory
internal import Printing
internal import SearchModel

/// `searchagg history delete`.
struct HistoryDelete: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete kept posts by identifier or address, or by author, tag and network.",
    discussion: """
      EXAMPLES:
          searchagg history delete https://mastodon.social/@amy/1
          searchagg history delete --author @amy@mastodon.social --dry-run
          searchagg history delete --tag '#swiftlang' --source mastodon,lemmy

      Of --author, --tag and --source, all that are given must match. Posts are deleted without \
      confirmation, those that wait to be passed on, too; --dry-run shows how many. Posts that were printed stay marked: no later run with \
      --new prints them again.
      """)

  @Argument(help: ArgumentHelp("The id, uri or url of a post.", valueName: "id"))
  var ids: [String] = []

  @Option(
    help: ArgumentHelp("Delete the posts and reposts of this author.", valueName: "@handle"))
  var author: String?

  @Option(
    help: ArgumentHelp("Delete the posts that this tag or query has found.", valueName: "tag"))
  var tag: String?

  @Flag(help: "Only count the posts; delete nothing.")
  var dryRun = false

  @OptionGroup var options: SettingOptions<HistoryDeletion>

  func run(in context: Context) async throws -> CommandStatus {
    let isByProperty = author != nil || tag != nil || options.texts["source"] != nil
    guard isByProperty || !ids.isEmpty else {
      throw CommandFailure(
        .usage, "name the posts to delete: by id or address, or with --author, --tag or --source")
    }
    guard !isByProperty || ids.isEmpty else {
      throw CommandFailure(
        .usage, "delete posts by id, or by --author, --tag and --source, not both at once")
    }
    let terms = try authorTerms()
    let tags = try tagTexts()
    let history = try OpenHistory(options: options.texts, in: context)
    guard isByProperty else { return try deleteNamed(in: history, context) }
    let sources = options.texts["source"] == nil ? [] : history.settings.search.sources ?? []
    return try deleteMatches(
      of: HistoryQuery(terms: terms, sources: sources, tags: tags, includesPrivate: true),
      in: history, context)
  }

  private func deleteMatches(
    of query: HistoryQuery, in history: OpenHistory, _ context: Context
  ) throws -> CommandStatus {
    let store = history.store
    let count = try (dryRun ? store?.count(matching: query) : store?.delete(matching: query)) ?? 0
    let posts = Plural.count(count, "post")
    context.report(dryRun ? "would delete \(posts)" : "deleted \(posts)")
    return count == 0 && !dryRun ? .nothing : .success
  }

  private func authorTerms() throws -> [QueryTerm] {
    guard let author else { return [] }
    let name = AuthorName(author).text
    guard !name.isEmpty else {
      throw CommandFailure(.usage, "--author: expected a handle such as @amy, found '\(author)'")
    }
    return [QueryTerm(.author, name)]
  }

  /// The tag as runs remember it.
  private func tagTexts() throws -> [String] {
    guard let tag else { return [] }
    return [try QueryWords.query(tag).text]
  }

  private func deleteNamed(in history: OpenHistory, _ context: Context) throws -> CommandStatus {
    // All of them must be there before any is deleted.
    let counts = try ids.map { id in (id: id, posts: try history.store?.count(named: id) ?? 0) }
    let missing = counts.filter { $0.posts == 0 }
    guard missing.isEmpty else {
      let names = missing.map { "'\($0.id)'" }.joined(separator: ", ")
      throw CommandFailure(.nothing, "\(names): not in the history; nothing was deleted")
    }
    for (id, posts) in counts {
      if !dryRun { _ = try history.store?.delete(id) }
      let count = posts > 1 ? ": \(posts) posts" : ""
      context.report("\(dryRun ? "would delete" : "deleted") '\(id)'\(count)")
    }
    return .success
  }
}

/// The options of `history delete` that are settings.
enum HistoryDeletion: SettingSelection {
  static let settings = Setting.only(
    ["source", "state", "config"],
    explained: [
      "source": "Delete only posts from these sources, separated by commas.",
      "state": StateFileOption.help,
    ])
}
