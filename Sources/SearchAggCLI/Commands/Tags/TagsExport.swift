internal import ArgumentParser
internal import TagStorage
internal import TextFormats

/// `searchagg tags export`.
struct TagsExport: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the stored queries and their settings as JSON.")

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let list = try file.location(in: context).load(in: context)
    try context.output.write(list.export.visibleFileBytes)
    return .success
  }
}
