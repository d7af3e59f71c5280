internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import PostHistory
internal import Printing
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
        searchagg undelivered send 2026-11-20T09-30-00-12-exec.ndjson --notify team
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
    try context.output.write(Array(table.text.utf8))
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
    let (taken, reason) = await item.send(to: receiver)
    let left = item.lines.count - taken
    guard let reason else {
      try undelivered.remove(item)
      context.report("\(receiver.name): \(Self.posts(taken)) sent")
      return .success
    }
    try undelivered.keep(item, without: taken)
    throw CommandFailure(.unavailable, "\(receiver.name): \(reason); \(Self.posts(left)) left")
  }

  private static func posts(_ count: Int) -> String { Plural.count(count, "post") }

  /// The receivers that the options name; what a configuration names is for runs.
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
    for item in items {
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
  static let settings = Setting.all.filter { names.contains($0.name) }
}

/// The posts beside a state that nobody has taken.
private struct Undelivered {
  /// A batch of the outbox, or a file.
  enum Item {
    case batch(OutboxBatch)
    case given(UndeliveredPosts)

    var batch: OutboxBatch? { if case .batch(let batch) = self { batch } else { nil } }

    /// The name by which the command line knows it.
    var name: String {
      switch self {
      case .batch(let batch): String(batch.id)
      case .given(let posts): posts.name
      }
    }

    /// A line of ndjson for each post that was not taken.
    var lines: [Substring] {
      switch self {
      case .batch(let batch): Array(batch.lines.split(separator: "\n").dropFirst(batch.taken))
      case .given(let posts): posts.lines.split(separator: "\n")
      }
    }

    /// Hands the posts to a receiver; returns how many it took, and why it failed.
    func send(to receiver: any Delivery.Receiver) async -> (taken: Int, reason: String?) {
      let taken = Mutex(0)
      // The posts of a file are a batch that no server has seen.
      let token = batch?.token ?? String(UInt64.random(in: 0 ... .max), radix: 16)
      let reason = await receiver.take(lines, of: token) { count in
        taken.withLock { $0 += count }
      }
      return (reason == nil ? lines.count : taken.withLock { $0 }, reason)
    }
  }

  private let store: (any HistoryStore)?

  init(_ options: [String: String], in context: Context) throws {
    let history = try OpenHistory(options: options, in: context)
    guard let path = history.settings.history.path(in: context.surroundings) else {
      throw CommandFailure(
        .badConfiguration, "no file for the history: set HOME, or name one with --state")
    }
    // Files of posts outlive the database that they come from.
    store =
      history.store == nil && UndeliveredFolder(beside: path).isThere
      ? try HistorySettings.stating { () throws(HistoryError) in
        try HistorySettings.open(path, in: context.surroundings)
      } : history.store
  }

  func all() throws -> [Item] {
    guard let store else { return [] }
    return try HistorySettings.stating { () throws(HistoryError) in
      try store.batches(before: .distantFuture, except: []).map(Item.batch)
        + store.undelivered().map(Item.given)
    }
  }

  func item(named name: String) throws -> Item {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    do {
      if let item = try all().first(where: { item in
        item.name == name || item.batch == nil && item.name == last
      }) {
        return item
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.unreadableInput, "\(error)")
    }
    throw CommandFailure(
      .usage, "there is no undelivered batch or file '\(name)' (see: searchagg undelivered list)")
  }

  /// Keeps runs from delivering a batch meanwhile.
  func lock(_ item: Item) throws -> any DeliveryLock {
    let key = item.batch?.receiver ?? "file \(item.name)"
    let lock = try HistorySettings.stating { () throws(HistoryError) in
      try store?.deliveryLock(for: key)
    }
    guard let lock else {
      throw CommandFailure(
        .unavailable, "\(item.name): it is being passed on by another run; try again later")
    }
    return lock
  }

  func remove(_ item: Item) throws {
    switch item {
    case .given(let posts): try keep(UndeliveredPosts(name: posts.name, lines: ""))
    case .batch(let batch):
      try HistorySettings.stating { () throws(HistoryError) in try store?.remove(batch) }
    }
  }

  private func keep(_ posts: UndeliveredPosts) throws {
    _ = try HistorySettings.stating { () throws(HistoryError) in try store?.keep(posts) }
  }

  /// Leaves the posts after the first ones.
  func keep(_ item: Item, without taken: Int) throws {
    guard taken > 0 else { return }
    switch item {
    case .given(let posts):
      let rest = item.lines.dropFirst(taken).joined(separator: "\n") + "\n"
      try keep(UndeliveredPosts(name: posts.name, lines: rest))
    case .batch(var batch):
      batch.taken += taken
      let rest = batch
      try HistorySettings.stating { () throws(HistoryError) in try store?.update(rest) }
    }
  }
}
