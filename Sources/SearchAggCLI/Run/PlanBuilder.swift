internal import FoundationEssentials
internal import SearchEngine
internal import SearchModel
internal import SearchSources

/// Writes the plan: one search for each query, source and server, in this order.
struct PlanBuilder {
  let directory: SourceDirectory
  /// The sources that the command line or a setting names; nil for those asked by default.
  let chosen: [SourceName]?
  /// Whether `chosen` goes before a tag's own sources, as a flag does.
  let isChosenByFlag: Bool
  /// The most posts of one search: the flag's word, a tag's own goes after it.
  let flagCap: Int?
  /// The cap where neither flag nor tag says one.
  let defaultCap: Int?
  /// The run's dates, which some networks cannot answer for.
  var since: Date?
  var until: Date?
  /// The run's now.
  let now: Date

  func plan(_ queries: [RunQuery]) -> [PlannedSearch] {
    var seen: Set<Query> = []
    return queries.filter { seen.insert($0.query).inserted }.flatMap { searches(of: $0) }
  }

  private func searches(of query: RunQuery) -> [PlannedSearch] {
    let named = isChosenByFlag ? chosen ?? query.sources : query.sources ?? chosen
    guard let named else {
      return directory.setups.filter(\.isAskedByDefault).flatMap { setup in
        setup.servers.filter { setup.isAskedByDefault($0) }.map {
          planned(query, on: setup, at: $0)
        }
      }
    }
    // In the order of the list of sources, whatever order they were named in.
    let searches = directory.setups.filter { named.contains($0.source.name) }.flatMap { setup in
      setup.servers.isEmpty
        ? [withoutAddress(query, on: setup)]
        : setup.servers.map { planned(query, on: setup, at: $0) }
    }
    return searches + named.filter { directory.setup(of: $0) == nil }.map { unknown(query, $0) }
  }

  private func planned(
    _ query: RunQuery, on setup: SourceSetup, at server: SourceSetup.Server
  ) -> PlannedSearch {
    let search = Search(
      query: query.query, source: setup.source, server: server.address, priority: query.priority,
      cap: flagCap ?? query.limit ?? defaultCap, credentials: server.credentials)
    if !setup.isReady(server) {
      let reason = server.missing ?? "a credential is needed"
      return .skip(search.outcome(.skipped(reason: reason, needsCredential: true)))
    }
    if let reason = setup.source.reasonToSkip(query.query, with: server.credentials) {
      // With any credential, as a source looks only whether there is one.
      let isAskedWithOne =
        server.credentials == nil
        && setup.source.reasonToSkip(query.query, with: Credentials([])) == nil
      return .skip(search.outcome(.skipped(reason: reason, needsCredential: isAskedWithOne)))
    }
    if let reason = setup.source.refusal(since: since, until: until, now: now) {
      return .skip(search.outcome(.skipped(reason: reason)))
    }
    return .ask(search)
  }

  private func withoutAddress(_ query: RunQuery, on setup: SourceSetup) -> PlannedSearch {
    let name = setup.source.name
    let reason = "it has no address; set \(SourceSetup.addressVariable(of: name))"
    return skip(query, on: name, reason)
  }

  /// A tag may name a source that another version of searchagg knows, or another configuration
  /// declares.
  private func unknown(_ query: RunQuery, _ name: SourceName) -> PlannedSearch {
    skip(
      query, on: name,
      "there is no such source, and the configuration declares none; there are: \(directory.names)")
  }

  private func skip(_ query: RunQuery, on name: SourceName, _ reason: String) -> PlannedSearch {
    .skip(
      SearchOutcome(
        tag: query.query.text, source: name, server: nil, ending: .skipped(reason: reason)))
  }
}
