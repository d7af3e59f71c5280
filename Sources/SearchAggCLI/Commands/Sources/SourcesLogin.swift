internal import Application
internal import ArgumentParser
internal import FoundationEssentials
internal import Printing
internal import QueuedHTTP
internal import SafeFiles
internal import SearchEngine
internal import SearchModel
internal import SearchSources
internal import TextFormats

/// `searchagg sources login`.
struct SourcesLogin: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "login",
    abstract: "Open a session of a source now, and keep it for later runs.",
    discussion: """
      For the networks that exchange credentials for a session: bluesky and reddit. A run does the same \
      when it needs a session. The session is kept in a file that only you can read.
      """)

  @Argument(help: ArgumentHelp("The source.", valueName: "name"))
  var name: String

  @OptionGroup var options: SettingOptions<RequestOptions>

  func run(in context: Context) async throws -> CommandStatus {
    let (directory, settings) = try options.world(naming: [name], in: context)
    let setup = try directory.setup(named: name)
    guard let server = setup.servers.first,
      SessionLogin.isKnown(by: setup.source, at: server.address)
    else {
      throw CommandFailure(
        .usage, "\(name) has no sessions: its credentials, if any, are sent with each request")
    }
    guard let store = SessionFile.own(in: context.surroundings) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where sessions are kept: set HOME or XDG_STATE_HOME")
    }
    let query = try QueryWords.query(SourcesCheck.commonWord)
    let outcomes = await SourceLogin(to: setup, settings: settings, in: context.surroundings)
      .open(with: query, keepingIn: store)
    return RunVerdict(outcomes: outcomes, postCount: 0, failOn: .any, failsOnEmpty: false).status
  }
}

/// `searchagg sources logout`.
struct SourcesLogout: ContextCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Forget the session of a source.",
    discussion: "The next run opens a new one. Credentials are removed by `searchagg auth remove`.")

  @Argument(help: ArgumentHelp("The source.", valueName: "name"))
  var name: String

  @OptionGroup var options: SettingOptions<ConfigOption>

  func run(in context: Context) async throws -> CommandStatus {
    let source = try options.world(naming: [name], in: context).directory.setup(named: name)
      .source.name
    guard let store = SessionFile.own(in: context.surroundings) else {
      throw CommandFailure(
        .badConfiguration, "cannot tell where sessions are kept: set HOME or XDG_STATE_HOME")
    }
    guard try await store.forget(source) > 0 else {
      throw CommandFailure(.nothing, "\(name) has no session; nothing changed")
    }
    context.report("\(name): the session was removed")
    return .success
  }
}
