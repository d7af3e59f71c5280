internal import ArgumentParser

/// Which file the tags are in.
struct TagsFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the stored queries (default: see searchagg tags --help).",
      valueName: "file"))
  var tagsFile: String?

  /// The file that these options, the environment and the user's configuration lead to.
  func location(in context: Context) throws(CommandFailure) -> TagsFileLocation {
    if tagsFile != nil || context.variable("SEARCHAGG_TAGS_FILE") != nil {
      return try TagsFileLocation.find(option: tagsFile, in: context)
    }
    let configuration = try Configuration(named: nil, isPersonal: true, in: context)
    return try TagsFileLocation.find(option: configuration.text(of: "tags-file")?.text, in: context)
  }
}
