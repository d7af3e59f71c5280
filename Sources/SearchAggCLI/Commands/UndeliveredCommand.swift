internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import Printing
internal import SearchModel
internal import Synchronization
internal import TextFormats

/// `searchagg undelivered`: new posts that `--exec` and `--notify` have not taken.
struct UndeliveredCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undelivered",
    abstract: "List, send and drop the new posts that no command or channel has taken.",
    discussion: """
      EXAMPLES:
          searchagg undelivered list
          searchagg undelivered send 12 --exec 'mail -s "new posts" me@example.org'
          searchagg undelivered send 12 --notify team
          searchagg undelivered drop 12 13

      New posts wait for the command or the channel that they were found for, by its exact text. They are \
      left behind when that text changes. See `searchagg help notifications`.
      """,
    subcommands: [UndeliveredList.self, UndeliveredSend.self, UndeliveredDrop.self])
}

/// `searchagg undelivered list`.
struct UndeliveredList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the batches of the outbox and the files of undelivered/.")

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let all = try Undelivered(options.texts, in: context).all()
    guard !all.isEmpty else {
      context.report("everything has been delivered")
      return .success
    }
    let table = TextTable(columns: [
      ["ID"] + all.map(\.name),
      ["POSTS"] + all.map { String($0.lines.count) },
      ["SINCE"] + all.map { $0.batch.map { RFC3339.formatSeconds($0.created) } ?? "" },
      ["ATTEMPTS"] + all.map { $0.batch.map { String($0.failures) } ?? "" },
      ["FOR"] + all.map { $0.batch.map { OutboxReceiver(key: $0.receiver).option } ?? "" },
    ])
    try context.write(table.text)
    return .success
  }
}

/// `searchagg undelivered send ID`.
struct UndeliveredSend: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send one batch or file to a command or a channel.",
    discussion: "What was taken is removed; the rest stays where it is.")

  @Argument(help: ArgumentHelp("A batch or a file, as the list names it.", valueName: "id"))
  var name: String

  @OptionGroup var options: SettingOptions<UndeliveredReceiver>

  func run(in context: Context) async throws -> CommandStatus {
    let receivers = try receivers(in: context)
    guard let receiver = receivers.first, receivers.count == 1 else {
      throw CommandFailure(.usage, "name one receiver: --exec COMMAND or --notify CHANNEL")
    }
    let undelivered = try Undelivered(options.texts, in: context)
    let item = try undelivered.item(named: name)
    let lock = try undelivered.lock(item)
    defer { extendLifetime(lock) }
    let (refused, rest, reason) = await item.send(to: receiver)
    guard let reason else {
      try undelivered.remove(item)
      context.report("\(receiver.name): \(Self.posts(item.lines.count)) sent")
      return .success
    }
    try undelivered.keep(item, refused: refused, rest: rest)
    throw CommandFailure(
      .unavailable, "\(receiver.name): \(reason); \(Self.posts(refused.count + rest.count)) left")
  }

  private static func posts(_ count: Int) -> String { Plural.count(count, "post") }

  /// The receivers that the options name; those in a configuration are for runs.
  private func receivers(in context: Context) throws -> [any Delivery.Receiver] {
    let texts = options.texts
    let configuration = try Configuration(named: texts["config"], in: context)
    let reader = SettingsReader(context: context, configuration: configuration, options: texts)
    let settings = try RunSettings(from: reader, for: .ask)
    let wanted = ReceiverSettings(
      command: texts["exec"] == nil ? nil : settings.receivers.command,
      channels: texts["notify"] == nil ? [] : settings.receivers.channels)
    let directory = try SourceDirectory(configuration: configuration, in: context)
    return try Delivery.receivers(
      wanted, settings, reader, hiding: directory.credentialNames, in: context)
  }
}

/// `searchagg undelivered drop ID…`.
struct UndeliveredDrop: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Delete batches and files without sending them.",
    discussion: "Their posts stay in the history, and count as printed.")

  @Argument(help: ArgumentHelp("Batches or files, as the list names them.", valueName: "id"))
  var names: [String]

  @OptionGroup var options: SettingOptions<StateFileOption>

  func run(in context: Context) async throws -> CommandStatus {
    let undelivered = try Undelivered(options.texts, in: context)
    // All of them must be there before any is deleted.
    let items = try names.map { name in try undelivered.item(named: name) }
    var dropped: Set<String> = []
    for item in items where dropped.insert(item.name).inserted {
      let lock = try undelivered.lock(item)
      defer { extendLifetime(lock) }
      try undelivered.remove(item)
      let count = item.lines.count
      context.report("dropped \(item.name): \(Plural.count(count, "post"))")
    }
    return .success
  }
}

/// The options of `undelivered send`.
enum UndeliveredReceiver: SettingSelection {
  private static let names: Set = ["exec", "notify", "state", "config"]
  private static let help = [
    "exec": "Send the posts to this command, which reads them as ndjson.",
    "notify": "Send the posts to this channel (see: searchagg help notifications).",
    "state": StateFileOption.help,
  ]
  static let settings = Setting.only(names, explained: help)
}

extension Undelivered {
  /// The posts beside the state that options name.
  fileprivate init(_ options: [String: String], in context: Context) throws {
    let history = try OpenHistory(options: options, in: context)
    // Files of posts outlive the database that they come from.
    let store =
      history.store == nil && UndeliveredFolder(beside: history.path).isThere
      ? try HistorySettings.open(history.path, in: context.surroundings) : history.store
    self.init(in: store)
  }
}
