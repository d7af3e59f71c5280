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
    let session = SearchSession(settings, in: context.surroundings)
    var outcomes: [SearchOutcome] = []
    for server in setup.servers {
      let search = Search(
        query,
        at: Endpoint(setup.source, at: server.address, credentials: server.credentials))
      if let failure = server.badCredential {
        outcomes.append(search.outcome(.failed(failure)))
        continue
      }
      let open = { @Sendable in
        await SessionLogin(search, store: store)
          .open(over: session.transport, limits: settings.limits, clock: context.now)
      }
      let words = ["logging in to \(name)", server.address.text]
      let login =
        if let progress = settings.reports.progressLine(in: context.surroundings) {
          await progress.show({ words }, on: context.host, during: open)
        } else {
          await open()
        }
      switch login {
      case .opened(let opened):
        outcomes.append(search.outcome(.completed()))
        let end =
          opened.expires.map { "until \(RFC3339.format($0))" } ?? "until the server refuses it"
        context.report("\(name) (\(server.address)): the session is good \(end)")
      case .failed(let ending): outcomes.append(search.outcome(ending))
      case .impossible:
        let names = setup.source.traits.credentialNames.joined(separator: " and ")
        outcomes.append(
          search.outcome(
            .skipped(reason: server.missing ?? "it needs \(names)", needsCredential: true)))
      }
    }
    await session.shutdown()
    for outcome in outcomes where !outcome.ending.isAnswered {
      let server = outcome.server.map { " (\($0))" } ?? ""
      context.report("\(name)\(server): \(SummaryLines.words(for: outcome))")
    }
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
    let count: Int
    do throws(FileWriteError) {
      count = try await store.forget(source)
    } catch {
      throw CommandFailure(.cannotWrite, "the session was not removed: \(error.reason)")
    }
    guard count > 0 else {
      throw CommandFailure(.nothing, "\(name) has no session; nothing changed")
    }
    context.report("\(name): the session was removed")
    return .success
  }
}
