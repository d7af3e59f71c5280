internal import Application

/// The commands that are run most often, read from plain command lines without the argument parser.
enum PlainCommand: Hashable {
  case run(PlainCommandLine)
  case watch(PlainCommandLine)
  case tagsList(PlainCommandLine)

  /// Reads a command line; nil for one that only the parser reads.
  init?(_ arguments: [String]) {
    if arguments.first == "run",
      let line = PlainCommandLine(arguments.dropFirst(), options: RunOptions.settings)
    {
      self = .run(line)
    } else if arguments.first == "watch",
      let line = PlainCommandLine(arguments.dropFirst(), options: WatchOptions.settings)
    {
      self = .watch(line)
    } else if arguments.starts(with: ["tags", "list"]),
      let line = PlainCommandLine(
        arguments.dropFirst(2), options: TagsFileOption.settings + TagStateOption.settings),
      line.words.isEmpty
    {
      self = .tagsList(line)
    } else {
      return nil
    }
  }

  func run(in context: Context) async throws -> CommandStatus {
    switch self {
    case .run(let line):
      try await RunCommand.run(line.words, options: line.texts, in: context)
    case .watch(let line):
      try await WatchCommand.run(line.words, options: line.texts, in: context)
    case .tagsList(let line):
      try TagsList.write(.text, file: TagsFileOptions(line.texts), state: line.texts, in: context)
    }
  }
}
