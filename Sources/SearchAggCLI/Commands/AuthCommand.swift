internal import Application
internal import ArgumentParser
internal import SearchSources
internal import TextFormats

/// `searchagg auth`: the credentials that are stored for this user.
struct AuthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "Store, list and remove credentials.",
    discussion: """
      A credential is named by its variable, such as X_BEARER_TOKEN; see `searchagg help sources` for \
      where to get each. They are stored in credentials.json in the configuration folder, which only \
      you can read. A variable in the environment takes precedence.

      EXAMPLES:
          searchagg auth set GITHUB_TOKEN
          gh auth token | searchagg auth set GITHUB_TOKEN
          searchagg auth list
      """,
    subcommands: [AuthSet.self, AuthList.self, AuthRemove.self])

  /// Refuses a name that no source knows.
  fileprivate static func check(_ name: String, in context: Context) throws {
    let names = try Configuration.credentialNames(in: context)
    guard !names.contains(name) else { return }
    guard Suggestion.nearest(to: name, among: names) == nil else {
      throw CommandFailure(.usage, Suggestion.refusal(of: name, as: "credential", among: names))
    }
    throw CommandFailure(
      .usage,
      "no source or channel uses '\(name)'; declare it first, such as with searchagg sources add "
        + "mastodon https://social.example --token-variable \(name), or name the file that declares it with "
        + "SEARCHAGG_CONFIG")
  }
}

/// `searchagg auth set`.
struct AuthSet: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Store a credential.",
    discussion: """
      On a terminal the credential is asked for and not shown; else it is read from standard input.
      """)

  private static let largest = 1 << 16

  @Argument(help: ArgumentHelp("The variable of the credential.", valueName: "name"))
  var name: String

  func run(in context: Context) async throws -> CommandStatus {
    try AuthCommand.check(name, in: context)
    let file = try CredentialFile.own(in: context)
    let secret = String(try secret(in: context).trimmed)
    guard !secret.isEmpty else {
      throw CommandFailure(.usage, "no credential was given; nothing changed")
    }
    guard Secrets.isUsable(secret) else {
      throw CommandFailure(.usage, "the credential \(Secrets.unusable); nothing changed")
    }
    _ = try file.change(name, to: secret)
    let isHidden = context.variable(name) != nil
    context.report(
      "stored \(name) in \(file.path)"
        + (isHidden ? "; the variable in the environment takes precedence" : ""))
    return .success
  }

  private func secret(in context: Context) throws -> String {
    if let read = context.readSecret { return try read("\(name): ") }
    let bytes = try context.input.readAll(limit: Self.largest)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.usage, "the credential is not valid UTF-8; nothing changed")
    }
    // Editors of other systems put a byte order mark before a text.
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }
}

/// `searchagg auth list`.
struct AuthList: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the credentials that are set, and where, without their values.")

  func run(in context: Context) async throws -> CommandStatus {
    let file = try CredentialFile.own(in: context)
    let stored = try file.names
    let known = try Configuration.credentialNames(in: context)
    let rows = (known + stored.filter { !known.contains($0) }).compactMap { name in
      if context.variable(name) != nil { return (name, "the environment") }
      return stored.contains(name) ? (name, file.path) : nil
    }
    guard !rows.isEmpty else {
      context.report("no credentials are set; to store one: searchagg auth set NAME")
      return .success
    }
    let table = TextTable(columns: [["NAME"] + rows.map(\.0), ["FROM"] + rows.map(\.1)])
    try context.write(table.text)
    return .success
  }
}

/// `searchagg auth remove`.
struct AuthRemove: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a stored credential.")

  @Argument(help: ArgumentHelp("The variable of the credential.", valueName: "name"))
  var name: String

  func run(in context: Context) async throws -> CommandStatus {
    let file = try CredentialFile.own(in: context)
    guard try file.change(name, to: nil) else {
      throw CommandFailure(.nothing, "\(name) is not in \(file.path); nothing changed")
    }
    let isSet = context.variable(name) != nil
    context.report(
      "removed \(name) from \(file.path)" + (isSet ? "; the environment still sets it" : ""))
    return .success
  }
}
