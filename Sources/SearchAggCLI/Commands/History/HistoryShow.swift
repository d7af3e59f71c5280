internal import Application
internal import ArgumentParser
internal import PostHistory
internal import SearchModel

/// `searchagg history show`.
struct HistoryShow: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print kept posts by identifier or address, in all their versions.",
    discussion: """
      EXAMPLES:
          searchagg history show https://mastodon.social/@amy/1

      The latest version of a post comes first.
      """)

  @Argument(help: ArgumentHelp("The id, uri or url of a post.", valueName: "id"))
  var ids: [String]

  @OptionGroup var options: SettingOptions<HistoryShowing>

  func run(in context: Context) async throws -> CommandStatus {
    let options = options.texts.merging(["full": "true"]) { _, always in always }
    let history = try OpenHistory(options: options, in: context)
    guard let store = history.store else { return .nothing }
    let found = try ids.map { (id: $0, posts: try store.versions(named: $0)) }
    let missing = found.filter(\.posts.isEmpty).map { "'\($0.id)'" }
    guard missing.isEmpty else {
      throw CommandFailure(.nothing, "\(missing.joined(separator: ", ")): not in the history")
    }
    return try history.write { try $0.write(stored: found.flatMap(\.posts)) }
  }
}

/// The options of `history show`.
enum HistoryShowing: SettingSelection {
  static let settings = Setting.only(
    [
      "format", "fields", "posts-only", "cells", "sort", "output", "color", "state", "config",
    ],
    explained: [
      "state": StateFileOption.help, "sort": "Order of the posts: newest, oldest or likes.",
    ])
}
