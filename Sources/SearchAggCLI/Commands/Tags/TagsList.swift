internal import ArgumentParser
internal import SearchModel
internal import TagStorage
internal import TextFormats

/// `searchagg tags list`.
struct TagsList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the stored queries.")

  /// The format of the list.
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, plain, json }

  @Option(help: "Print a table, one query per line, or JSON.")
  var format = Format.text

  @OptionGroup var file: TagsFileOptions

  func run(in context: Context) async throws -> CommandStatus {
    let location = try file.location(in: context)
    let tags = try location.load(in: context).tags
    switch format {
    case .text:
      try context.output.write(Array(TagTable(tags: tags).text.utf8))
    case .plain:
      // A program gets each query unchanged; a terminal must not obey what is in it.
      let isTerminal = context.outputTerminal != nil
      try context.output.write(
        tags.flatMap { tag in
          let text = tag.query.text
          return Array("\(isTerminal ? ControlCodes.strippedToLine(text) : text)\n".utf8)
        })
    case .json: try context.output.write(JSONValue.array(tags.map(\.object)).visibleFileBytes)
    }
    switch tags.count {
    case 0: context.report("no tags in \(location.name); to add one: searchagg tags add QUERY")
    case 1: context.report("1 tag in \(location.name)")
    case let count: context.report("\(count) tags in \(location.name)")
    }
    return .success
  }
}

/// The tags as a table for people; a column that would be empty is left out.
struct TagTable {
  let tags: [SearchTag]

  /// The table, a line break after each line; empty without tags.
  var text: String {
    guard !tags.isEmpty else { return "" }
    return TextTable(columns: [
      ["ADDED"] + tags.map { $0.added.map { String(RFC3339.format($0).prefix(10)) } ?? "" },
      ["PRIORITY"] + tags.map { $0.priority?.rawValue ?? "" },
      ["LIMIT"] + tags.map { $0.limit.map { String($0) } ?? "" },
      ["SOURCES"] + tags.map { sources(of: $0) },
      // The query comes last: how wide a terminal draws it does not matter there.
      ["QUERY"] + tags.map(\.query.text),
    ]).text
  }

  private func sources(of tag: SearchTag) -> String {
    (tag.sources ?? []).map(\.rawValue).joined(separator: ",")
  }
}
