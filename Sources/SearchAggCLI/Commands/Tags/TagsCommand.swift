internal import Application
internal import ArgumentParser
internal import TagStorage

/// `searchagg tags`: the stored queries.
struct TagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags",
    abstract: "Add, remove, edit and list the stored queries.",
    discussion: """
      EXAMPLES:
          searchagg tags add '#swiftlang' 'libcurl' --source mastodon,hackernews
          searchagg tags edit libcurl --priority high --limit 40
          searchagg tags list
          searchagg tags remove libcurl

      The tags are in the file that --tags-file or SEARCHAGG_TAGS_FILE names; \
      else in ./tags.json if there is one, else in $XDG_CONFIG_HOME/searchagg/tags.json.
      """,
    subcommands: [
      TagsAdd.self, TagsRemove.self, TagsEdit.self, TagsList.self, TagsImport.self, TagsExport.self,
    ])
}

/// `searchagg tags remove`.
struct TagsRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove stored queries.",
    discussion: "If one of them is not stored, none is removed and the exit status is 1.")

  @Argument(
    help: ArgumentHelp(
      "The query to remove; - reads queries from standard input, one per line.", valueName: "query")
  )
  var queries: [String]

  @Flag(help: "Skip queries that are not stored, with status 0.")
  var ifPresent = false

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let unwanted = try QueryWords.queries(queries, in: context)
    guard !unwanted.isEmpty else {
      if ifPresent { return .success }
      throw CommandFailure(.nothing, "standard input contains no query; nothing changed")
    }
    let location = try file.location(in: context)
    let removed = try location.change(in: context) { list in
      let (list, removed) =
        ifPresent ? list.removing(presentOf: unwanted) : try list.removing(unwanted)
      return (list, removed)
    }
    switch removed.count {
    case 0: context.report("nothing to remove: none of them are in \(location.name)")
    case 1: context.report("removed \(removed[0].shown) from \(location.name)")
    case let count: context.report("removed \(count) tags from \(location.name)")
    }
    return .success
  }
}
