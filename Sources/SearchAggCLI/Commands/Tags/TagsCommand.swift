internal import ArgumentParser

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
