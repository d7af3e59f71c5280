internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import SearchModel
internal import TagStorage
internal import TextFormats

/// `searchagg tags list`.
struct TagsList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the stored queries, and when a run last found posts for each.")

  /// The format of the list.
  enum Format: String, CaseIterable, ExpressibleByArgument { case text, plain, json }

  @Option(help: "Print a table, one query per line, or JSON.")
  var format = Format.text

  @OptionGroup var file: TagsFileOptions

  @OptionGroup var state: SettingOptions<TagStateOption>

  func run(in context: Context) async throws -> CommandStatus {
    try Self.write(format, file: file, state: state.texts, in: context)
  }

  /// Writes the list in a format.
  static func write(
    _ format: Format, file: TagsFileOptions, state: [String: String], in context: Context
  ) throws -> CommandStatus {
    let location = try file.location(in: context)
    let tags = try location.load(in: context).tags
    let memories = format == .plain || tags.isEmpty ? [:] : try memories(state, in: context)
    try write(tags, memories, as: format, in: context)
    switch tags.count {
    case 0: context.report("no tags in \(location.name); to add one: searchagg tags add QUERY")
    case 1: context.report("1 tag in \(location.name)")
    case let count: context.report("\(count) tags in \(location.name)")
    }
    return .success
  }

  /// Writes the list piece by piece, as it may be long.
  private static func write(
    _ tags: [SearchTag], _ memories: [String: TagMemory], as format: Format, in context: Context
  ) throws(OutputFailure) {
    guard format != .json else {
      let objects = tags.lazy.map { tag in
        let tag = tag.unpacked
        return object(tag, memories[tag.query.text])
      }
      return try JSONValue.array([]).writeFile(listAt: nil, objects, isVisible: true) {
        bytes throws(OutputFailure) in try context.output.write(bytes)
      }
    }
    var piece: [UInt8] = []
    func add(_ line: String) throws(OutputFailure) {
      piece += line.utf8
      guard piece.count > pieceSize else { return }
      try context.output.write(piece)
      piece.removeAll(keepingCapacity: true)
    }
    if format == .text {
      try TagTable(tags: tags, memories: memories).write(within: context.outputScreen?.columns, add)
    } else {
      // A program gets each query unchanged; a terminal must not obey what is in it.
      let isTerminal = context.outputScreen != nil
      for tag in tags {
        let text = tag.query.text
        try add((isTerminal ? ControlCodes.strippedToLine(text) : text) + "\n")
      }
    }
    try context.output.write(piece)
  }

  private static let pieceSize = 1 << 16

  /// The memory of each tag, if there is a history; a history that cannot be read costs one line.
  private static func memories(
    _ options: [String: String], in context: Context
  ) throws -> [String: TagMemory] {
    let reader = SettingsReader(
      context: context, configuration: try Configuration.personal(in: context),
      options: options)
    guard let path = try HistorySettings.path(reader), HistorySettings.isThere(path) else {
      return [:]
    }
    do throws(HistoryError) {
      let memories = try HistorySettings.open(path, in: context.surroundings).tags()
      // The same query may also have been asked in each network's own syntax.
      return Dictionary(memories.map { ($0.key.tag, $0.value) }) { one, other in
        one.lastFound ?? .distantPast > other.lastFound ?? .distantPast ? one : other
      }
    } catch {
      context.report("\(error)")
      return [:]
    }
  }

  private static func object(_ tag: SearchTag, _ memory: TagMemory?) -> JSONValue {
    guard let memory, case .object(let members) = tag.object else { return tag.object }
    let found = JSONValue.members([
      "at": memory.lastFound.map { .string(RFC3339.formatSeconds($0)) },
      "posts": .integer(memory.posts),
      "newest": memory.newest.map { .string(RFC3339.formatSeconds($0)) },
      "since": .string(RFC3339.formatSeconds(memory.firstRun)),
    ])
    return .object(members.filter { $0.key != "found" } + [JSONMember("found", found)])
  }
}

/// The option of `tags list` that names the file of the state.
enum TagStateOption: SettingSelection {
  static let settings = Setting.only(["state"])
}
