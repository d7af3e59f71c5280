internal import Application
internal import ArgumentParser
internal import Printing
internal import SafeFiles
internal import SearchModel
internal import TagStorage
internal import TextFormats

/// `searchagg tags import`.
struct TagsImport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Store queries from a file.",
    discussion: """
      The file contains the output of `tags export`, a list in JSON, or one query a line. A line that is # or \
      begins with # and a blank is a comment. Queries that are already stored stay unchanged.
      """)

  @Argument(help: ArgumentHelp("The file; - reads standard input.", valueName: "file"))
  var source: String

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let now = context.now()
    let imported = try read(in: context)
    let tags = imported.tags.map { tag in
      var tag = tag
      if tag.added == nil { tag.added = now }
      return tag
    }
    let location = try file.location(in: context)
    let added = try location.change(in: context) { list in
      let (list, added) = list.adding(missingOf: tags)
      return (list, added.count)
    }
    let present = tags.count - added
    let comments = Plural.count(imported.comments, "comment")
    context.report(
      "added \(Plural.count(added, "tag")) to \(location.name), \(present) already there"
        + (imported.comments > 0 ? ", \(comments) skipped" : ""))
    return .success
  }

  private func read(in context: Context) throws -> TagImport {
    let name = source == "-" ? "standard input" : source
    let text = try QueryWords.contents(of: source, in: context)
    return try naming(name) { try TagImport(reading: text) }
  }
}

/// `searchagg tags export`.
struct TagsExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the stored queries and their settings as JSON.")

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let list = try file.location(in: context).load(in: context)
    try list.writeExport { bytes throws(OutputFailure) in try context.output.write(bytes) }
    return .success
  }
}
