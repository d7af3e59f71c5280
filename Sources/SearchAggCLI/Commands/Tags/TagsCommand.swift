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

/// The option that names the file of the tags.
enum TagsFileOption: SettingSelection {
  static let settings = Setting.all.filter { $0.name == "tags-file" }
}

typealias TagsFileOptions = SettingOptions<TagsFileOption>

extension TagsFileOptions {
  /// The file that the option, the environment or the user's configuration names.
  func location(in context: Context) throws(CommandFailure) -> TagsFileLocation {
    let option = texts["tags-file"]
    if option != nil || context.variable("SEARCHAGG_TAGS_FILE") != nil {
      return try TagsFileLocation.find(option: option, in: context)
    }
    let configuration = try Configuration(named: nil, isPersonal: true, in: context)
    return try TagsFileLocation.find(option: configuration.text(of: "tags-file")?.text, in: context)
  }
}
