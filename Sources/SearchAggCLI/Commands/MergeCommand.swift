internal import Application
internal import ArgumentParser

/// `searchagg merge FILE…`.
struct MergeCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Join the outputs of the parts of a run (run --shard).",
    discussion: """
      EXAMPLES:
        searchagg run --shard 1/2 --format ndjson -o 1.ndjson
        searchagg run --shard 2/2 --format ndjson -o 2.ndjson
        searchagg merge 1.ndjson 2.ndjson --format html -o posts.html

      Files are outputs of run --shard in json or ndjson, in any order; - is standard input. What is printed, \
      and the exit status, are those of one run. A part that is missing or cut off is named, and the status is \
      then 2; parts of different plans are refused. See `searchagg help shards`.
      """)

  /// The options that say how the whole is printed.
  enum Selection: SettingSelection {
    private static let names: Set = [
      "limit", "format", "json", "fields", "posts-only", "cells", "template", "count-by", "sort",
      "dedupe", "all", "full", "no-pager", "output", "quiet", "verbose", "color", "fail-on",
      "fail-on-empty", "config",
    ]
    static let settings = Setting.only(names)
  }

  @Argument(
    help: ArgumentHelp("The output of a part.", valueName: "file"), completion: .file())
  var files: [String]

  @OptionGroup var options: SettingOptions<Selection>

  func run(in context: Context) async throws -> CommandStatus {
    let configuration = try Configuration(named: options.texts["config"], in: context)
    var written = try WrittenSettings(
      from: SettingsReader(context: context, configuration: configuration, options: options.texts),
      for: .print)
    try OwnFiles.protect(from: written, configuration, joining: files, in: context)
    let merge = try PartMerge(files, in: context.surroundings)
    merge.apply(to: &written)
    return try merge.perform(RunSettings(written, for: .print), in: context.surroundings)
  }
}
