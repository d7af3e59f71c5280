internal import ArgumentParser

/// Which file the tags are in.
struct TagsFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the tags (SEARCHAGG_TAGS_FILE; default: ./tags.json if there is one).",
      valueName: "file"))
  var tagsFile: String?

  /// The file that these options and the context's environment lead to.
  func location(in context: Context) throws(CommandFailure) -> TagsFileLocation {
    try TagsFileLocation.find(option: tagsFile, in: context)
  }
}
