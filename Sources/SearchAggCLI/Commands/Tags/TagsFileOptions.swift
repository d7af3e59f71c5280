internal import ArgumentParser

/// Which file the tags are in.
struct TagsFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file of the stored queries (default: see searchagg tags --help).",
      valueName: "file"))
  var tagsFile: String?

  /// The file that these options and the context's environment lead to.
  func location(in context: Context) throws(CommandFailure) -> TagsFileLocation {
    try TagsFileLocation.find(option: tagsFile, in: context)
  }
}
