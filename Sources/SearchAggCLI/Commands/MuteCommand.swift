internal import Application
internal import ArgumentParser
internal import Printing
internal import SearchModel
internal import TextFormats

/// `searchagg mute`: manages the muted authors.
struct MuteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Leave out an author's posts from now on, and list the authors left out.",
    discussion: """
      EXAMPLES:
          searchagg mute @amy@mastodon.social
          searchagg mute list
          searchagg unmute @amy@mastodon.social

      Muted authors are kept under "mute" in your configuration file. Runs and watches leave out their \
      posts, and so do `searchagg history` list, search and stats; --include-muted shows them. \
      @amy is that author on every server, @amy@mastodon.social on one. To leave out words, use --exclude.
      """,
    subcommands: [MuteAdd.self, MuteList.self], defaultSubcommand: MuteAdd.self)
}

/// `searchagg mute @handle…`.
struct MuteAdd: ContextCommand {
  static let configuration = CommandConfiguration(commandName: "add", abstract: "Mute authors.")

  @Argument(help: ArgumentHelp("The authors.", valueName: "@handle"))
  var handles: [String]

  func run(in context: Context) async throws -> CommandStatus {
    let list = try MutedAuthors(in: OwnConfiguration(in: context))
    let added = try list.add(handles.map(MutedAuthors.name))
    guard added > 0 else {
      throw CommandFailure(
        .nothing,
        "\(handles.joined(separator: ", ")): already muted in \(list.path); nothing changed")
    }
    context.report("muted \(Plural.count(added, "author")) in \(list.path)")
    return .success
  }
}

/// `searchagg mute list`.
struct MuteList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the muted authors.")

  func run(in context: Context) async throws -> CommandStatus {
    let list = try MutedAuthors(in: OwnConfiguration(in: context))
    let names = try list.names()
    for name in names {
      try context.write("@\(ControlCodes.strippedToLine(name.text))\n")
    }
    if names.isEmpty {
      context.report("no muted authors; to mute one: searchagg mute @handle")
    }
    return .success
  }
}

/// `searchagg unmute`.
struct UnmuteCommand: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Show the posts of muted authors again.")

  @Argument(help: ArgumentHelp("The authors.", valueName: "@handle"))
  var handles: [String]

  func run(in context: Context) async throws -> CommandStatus {
    let list = try MutedAuthors(in: OwnConfiguration(in: context))
    let names = try handles.map(MutedAuthors.name)
    let stored = try list.names()
    let missing = names.filter { !stored.contains($0) }
    guard missing.isEmpty else {
      let shown = missing.map { "@\($0.text)" }.joined(separator: ", ")
      throw CommandFailure(.nothing, "\(shown): not muted in \(list.path); nothing changed")
    }
    let removed = try list.remove(names)
    context.report(
      "unmuted \(Plural.count(removed, "author")) in \(list.path)")
    return .success
  }
}

extension MutedAuthors {
  /// The author that a word of the command line names.
  static func name(_ word: String) throws -> AuthorName {
    let trimmed = word.trimmed
    let isNamed = trimmed.hasPrefix("@") || trimmed.lowercased().hasPrefix("author:")
    let name = AuthorName(trimmed.hasPrefix("@") ? trimmed : trimmed.dropFirst("author:".count))
    guard isNamed, !name.text.isEmpty,
      !name.text.contains(where: { $0 == "," || $0.isWhitespace || $0.isNewline })
    else {
      throw CommandFailure(
        .usage,
        "expected an author such as @amy, found '\(word)'; to leave out words, use --exclude")
    }
    return name
  }
}
