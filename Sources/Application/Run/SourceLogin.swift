internal import FoundationEssentials
internal import Printing
package import SearchEngine
package import SearchModel
internal import SearchSources

/// Opens a session on each server of a source, and says how long it is good for.
package struct SourceLogin {
  private let setup: SourceSetup
  private let settings: RunSettings
  private let surroundings: Surroundings

  package init(to setup: SourceSetup, settings: RunSettings, in surroundings: Surroundings) {
    (self.setup, self.settings, self.surroundings) = (setup, settings, surroundings)
  }

  /// Logs in to one server after the other; returns the outcomes.
  ///
  /// - Parameter query: Any query: none is sent.
  package func open(
    with query: Query, keepingIn store: any SessionStore
  ) async -> [SearchOutcome] {
    let session = SearchSession(settings, in: surroundings)
    var outcomes: [SearchOutcome] = []
    for server in setup.servers {
      outcomes.append(await open(server, with: query, over: session, keepingIn: store))
    }
    await session.shutdown()
    for outcome in outcomes where !outcome.ending.isAnswered {
      let server = outcome.server.map { " (\($0))" } ?? ""
      surroundings.report(
        "\(setup.source.name)\(server): \(SummaryLines.words(for: outcome, surroundings.reportClock))"
      )
    }
    return outcomes
  }

  private func open(
    _ server: SourceSetup.Server, with query: Query, over session: SearchSession,
    keepingIn store: any SessionStore
  ) async -> SearchOutcome {
    let search = Search(
      query, at: Endpoint(setup.source, at: server.address, credentials: server.credentials))
    if let failure = server.badCredential { return search.outcome(.failed(failure)) }
    let (clock, limits) = (surroundings.now, settings.limits)
    let open = { @Sendable in
      await SessionLogin(search, store: store)
        .open(over: session.transport, limits: limits, clock: clock)
    }
    let words = ["logging in to \(setup.source.name)", server.address.text]
    let login =
      if let progress = settings.reports.progressLine(in: surroundings) {
        await progress.show({ words }, on: surroundings.host, during: open)
      } else {
        await open()
      }
    switch login {
    case .opened(let session):
      let end =
        session.expires.flatMap(surroundings.reportClock.text).map { "until \($0)" }
        ?? "until the server refuses it"
      surroundings.report("\(setup.source.name) (\(server.address)): the session is valid \(end)")
      return search.outcome(.completed())
    case .failed(let ending): return search.outcome(ending)
    case .impossible:
      let names = setup.source.traits.credentialNames.joined(separator: " and ")
      return search.outcome(
        .skipped(reason: server.missing ?? "it needs \(names)", needsCredential: true))
    }
  }
}
