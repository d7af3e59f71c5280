internal import ArgumentParser
internal import SafeFiles
internal import TagStorage

/// `searchagg tags import`.
struct TagsImport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Store queries from a file.",
    discussion: """
      The file holds what `tags export` writes, a list in JSON, or one query a line. Those that are \
      stored already stay as they are.
      """)

  @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
  var source: String

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let now = context.now()
    let tags = try tags(in: context).map { tag in
      var tag = tag
      if tag.added == nil { tag.added = now }
      return tag
    }
    let location = try file.location(in: context)
    let added = try location.change { list throws(TagChangeRefusal) in
      let (list, added) = list.adding(missingOf: tags)
      return (list, added.count)
    }
    let present = tags.count - added
    context.report("added \(added) to \(location.name), \(present) there already")
    return .success
  }

  private func tags(in context: Context) throws(CommandFailure) -> [SearchTag] {
    let name = source == "-" ? "standard input" : source
    let text = try source == "-" ? QueryWords.input(in: context) : bytes(in: context)
    do throws(MalformedTags) { return try TagImport.tags(in: text) } catch {
      throw CommandFailure(.malformedInput, "\(name): \(error)")
    }
  }

  private func bytes(in context: Context) throws(CommandFailure) -> [UInt8] {
    do throws(FileReadError) {
      return try BoundedRead.bytes(
        of: context.absolutePath(source), limit: QueryWords.inputLimit, allowsStreams: true)
    } catch {
      if case .tooLarge = error {
        throw CommandFailure(.malformedInput, "\(source): \(error.reason)")
      }
      throw CommandFailure(.unreadableInput, "\(source): \(error.reason)")
    }
  }
}
