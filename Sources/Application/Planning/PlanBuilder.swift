package import FoundationEssentials
internal import QueuedHTTP
package import SearchEngine
package import SearchModel
internal import SearchSources
internal import TagStorage

/// Makes the plan: one search for each query, source and server, in this order.
package struct PlanBuilder {
  /// The most searches that room is reserved for before they are planned.
  private static let mostRoom = 1_000_000

  let setups: [SourceSetup]
  /// The sources that the command line or a setting names; nil for those asked by default.
  let chosen: [SourceName]?
  /// True if `chosen` takes precedence over a tag's own sources, as an option does.
  let isChosenByFlag: Bool
  /// The most posts of one search according to the option, which a tag's own limit cannot change.
  let flagCap: Int?
  /// The cap without an option or a tag's own limit.
  let defaultCap: Int?
  /// True if that cap is only the default.
  let isCapDefault: Bool
  /// The run's dates, which some networks cannot search by.
  let since: Date?
  let until: Date?
  /// The run's now.
  let now: Date

  package init(
    setups: [SourceSetup], chosen: [SourceName]?, isChosenByFlag: Bool = true, flagCap: Int? = nil,
    defaultCap: Int? = nil, isCapDefault: Bool = false, since: Date? = nil, until: Date? = nil,
    now: Date
  ) {
    self.setups = setups
    self.chosen = chosen
    self.isChosenByFlag = isChosenByFlag
    self.flagCap = flagCap
    self.defaultCap = defaultCap
    self.isCapDefault = isCapDefault
    (self.since, self.until) = (since, until)
    self.now = now
  }

  /// The plan that settings ask for.
  package init(setups: [SourceSetup], _ settings: RunSettings) {
    let search = settings.search
    self.init(
      setups: setups, chosen: search.sources, isChosenByFlag: search.areSourcesByOption,
      flagCap: search.optionCap, defaultCap: search.defaultCap,
      isCapDefault: search.perSearch == nil, since: settings.limits.since,
      until: settings.limits.until, now: settings.now)
  }

  package func plan(_ queries: [RunQuery]) -> [PlannedSearch] {
    var indices: [Query: Int] = [:]
    var groups: [[RunQuery]] = []
    for query in queries {
      if let index = indices[query.query] {
        groups[index].append(query)
      } else {
        indices[query.query] = groups.endIndex
        groups.append([query])
      }
    }
    var plan: [PlannedSearch] = []
    // Most queries are sent to all servers. With thousands of sources most are sent to few.
    plan.reserveCapacity(
      min(groups.count * setups.map(\.servers.count).reduce(0, +), Self.mostRoom))
    let endpoints = setups.map { setup in
      setup.servers.map { server in
        Endpoint(
          setup.source, at: server.address, credentials: server.credentials,
          credentialAdvice: server.credentialAdvice)
      }
    }
    let places = Dictionary(
      setups.indices.map { (setups[$0].source.name, $0) }, uniquingKeysWith: { first, _ in first })
    for group in groups { add(group, at: endpoints, places, to: &plan) }
    return plan
  }

  /// Adds the searches of one query, in the order of the list of sources, whatever order they were named
  /// in. Stored more than once, each entry asks its own sources.
  ///
  /// - Parameters:
  ///   - endpoints: Those of each source's servers, which all searches there share.
  ///   - places: The places of the sources among the setups.
  private func add(
    _ entries: [RunQuery], at endpoints: [[Endpoint]], _ places: [SourceName: Int],
    to plan: inout [PlannedSearch]
  ) {
    var splits: [SharedSplit] = []
    for place in self.places(for: entries, places) {
      let (setup, endpoints) = (setups[place], endpoints[place])
      let naming = entries.filter { named(by: $0)?.contains(setup.source.name) ?? false }
      if let entry = naming.first, setup.servers.isEmpty {
        plan.append(withoutAddress(entry, on: setup))
      }
      for (server, endpoint) in zip(setup.servers, endpoints) {
        let isDefault = setup.isAskedByDefault(server)
        let asking = isDefault ? entries.filter { isAsking($0, setup.source.name) } : naming
        if !asking.isEmpty {
          plan.append(planned(asking, on: setup, server, at: endpoint, sharing: &splits))
        }
      }
    }
    var unknownNames: [SourceName] = []
    for entry in entries {
      for name in named(by: entry) ?? []
      where places[name] == nil && !unknownNames.contains(name) {
        unknownNames.append(name)
        plan.append(unknown(entry, name))
      }
    }
  }

  /// The places of the setups that entries may ask, in order: there may be thousands that no entry names.
  private func places(for entries: [RunQuery], _ places: [SourceName: Int]) -> [Int] {
    var named: Set<Int> = []
    for entry in entries {
      guard let names = self.named(by: entry) else { return Array(setups.indices) }
      named.formUnion(names.compactMap { places[$0] })
    }
    return named.sorted()
  }

  /// The sources that an entry names; nil for those asked by default.
  private func named(by entry: RunQuery) -> [SourceName]? {
    isChosenByFlag ? chosen ?? entry.sources : entry.sources ?? chosen
  }

  /// Returns whether an entry asks a source that is asked by default.
  private func isAsking(_ entry: RunQuery, _ source: SourceName) -> Bool {
    named(by: entry)?.contains(source) ?? true
  }

  /// The search that entries of one query ask for together: with the higher priority and cap.
  ///
  /// - Parameter splits: Those of the query so far, of which most searches share one.
  private func planned(
    _ entries: [RunQuery], on setup: SourceSetup, _ server: SourceSetup.Server,
    at endpoint: Endpoint, sharing splits: inout [SharedSplit]
  ) -> PlannedSearch {
    let query = entries[0]
    let search = Search(
      query.query, at: endpoint, split: split(query.query, at: endpoint, sharing: &splits),
      priority: entries.map(\.priority).max() ?? query.priority,
      cap: cap(of: entries),
      isCapDefault: isCapDefault && flagCap == nil && entries.allSatisfy { $0.limit == nil })
    if let failure = server.badCredential { return .skip(search.outcome(.failed(failure))) }
    if !setup.isReady(server) {
      let reason = server.missing ?? "a credential is needed"
      return .skip(search.outcome(.skipped(reason: reason, needsCredential: true)))
    }
    if let reason = setup.source.skipReason(for: search.split, with: server.credentials) {
      // Any credential will do, since a source only checks whether there is one.
      let isAskedWithOne =
        server.credentials == nil
        && isAllowed(query.query, by: setup.source, with: Credentials([]))
      return .skip(
        search.outcome(
          .skipped(reason: server.reason(reason), needsCredential: isAskedWithOne)))
    }
    if let reason = setup.source.unreachableReason(since: since, until: until, now: now) {
      return .skip(search.outcome(.skipped(reason: reason)))
    }
    return .ask(search)
  }

  private func split(
    _ query: Query, at endpoint: Endpoint, sharing splits: inout [SharedSplit]
  ) -> SharedSplit {
    let split = endpoint.source.split(query, with: endpoint.credentials)
    if let known = splits.first(where: { $0.split == split }) { return known }
    let new = SharedSplit(split)
    splits.append(new)
    return new
  }

  private func isAllowed(
    _ query: Query, by source: any Source, with credentials: Credentials
  ) -> Bool {
    source.skipReason(for: source.split(query, with: credentials), with: credentials) == nil
  }

  /// The most posts of a search; nil for no cap, which is higher than any.
  private func cap(of entries: [RunQuery]) -> Int? {
    if let flagCap { return flagCap }
    let caps = entries.map { $0.limit ?? defaultCap }
    return caps.contains(nil) ? nil : caps.compactMap(\.self).max()
  }

  private func withoutAddress(_ query: RunQuery, on setup: SourceSetup) -> PlannedSearch {
    let name = setup.source.name
    let reason = "it has no address; set \(setup.addressVariable)"
    return skip(query, on: name, reason)
  }

  /// A tag may name a source that another version of searchagg knows, or another configuration
  /// declares.
  private func unknown(_ query: RunQuery, _ name: SourceName) -> PlannedSearch {
    skip(
      query, on: name,
      Suggestion.refusal(
        of: name.rawValue, as: "source", among: setups.map(\.source.name.rawValue)))
  }

  private func skip(_ query: RunQuery, on name: SourceName, _ reason: String) -> PlannedSearch {
    .skip(
      SearchOutcome(
        tag: query.query.text, source: name, server: nil, ending: .skipped(reason: reason)))
  }
}

extension PlannedSearch {
  /// The source that it is on.
  package var source: SourceName {
    switch self {
    case .ask(let search): search.source.name
    case .skip(let outcome): outcome.source
    case .stored(let stored): stored.search.source.name
    }
  }
}
