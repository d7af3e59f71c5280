package import FoundationEssentials
internal import QueuedHTTP
package import SearchEngine
package import SearchModel
internal import SearchSources
internal import TagStorage

/// Makes the plan: one search for each query, source and server, in this order.
package struct PlanBuilder: Sendable {
  /// The most searches that room is reserved for before they are planned.
  private static let mostRoom = 4_000_000
  /// The queries that one core plans at a time, and those that all do.
  private static let queriesInPart = 64
  private static let queriesAtOnce = 4096

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
    let groups = QueryGroups(of: queries)
    let sites = setups.indices.map { place in
      setups[place].servers.map { site(of: $0, at: place) }
    }
    let places = Dictionary(
      setups.indices.map { (setups[$0].source.name, $0) }, uniquingKeysWith: { first, _ in first })
    let room = targets(named: chosen, at: sites, places).steps.count
    var plan: [PlannedSearch] = []
    plan.reserveCapacity(min(groups.firsts.count * room, Self.mostRoom))
    for start in stride(from: 0, to: groups.firsts.count, by: Self.queriesAtOnce) {
      let firsts = groups.firsts[start...].prefix(Self.queriesAtOnce)
      let parts = stride(from: start, to: firsts.endIndex, by: Self.queriesInPart).map {
        firsts[$0...].prefix(Self.queriesInPart)
      }
      let planned = { @Sendable (part: ArraySlice<Int>) in
        self.plan(part, of: queries, groups, at: sites, places)
      }
      for part in parts.count > 1 ? parts.mapOnAllCores(partsOf: 1, planned) : parts.map(planned) {
        plan += part
      }
    }
    return plan
  }

  /// The searches of some queries, by their indices.
  private func plan(
    _ indices: ArraySlice<Int>, of queries: [RunQuery], _ groups: QueryGroups,
    at sites: [[Site]], _ places: [SourceName: Int]
  ) -> [PlannedSearch] {
    var plan: [PlannedSearch] = []
    // Most queries name the same sources, or none.
    var targets: Targets?
    for index in indices {
      if let further = groups.further[index] {
        add([queries[index]] + further.map { queries[$0] }, at: sites, places, to: &plan)
        continue
      }
      let names = named(by: queries[index])
      let own =
        if let targets, targets.names == names { targets } else {
          self.targets(named: names, at: sites, places)
        }
      targets = own
      add(queries[index], at: own, to: &plan)
    }
    return plan
  }

  /// A server as plans ask it, or the reason why they do not.
  // A class, as each search of a plan looks at one: all cores would count references to what it holds.
  private final class Site: Sendable {
    let server: SourceSetup.Server
    let endpoint: Endpoint
    let isAskedByDefault: Bool
    /// The outcome of each search there; nil if that depends on the query.
    let refusal: Ending?
    /// The outcome of each other search there; nil if it can have posts of the run's dates.
    let unreachable: Ending?

    init(
      _ server: SourceSetup.Server, at endpoint: Endpoint, isAskedByDefault: Bool,
      refusal: Ending?, unreachable: Ending?
    ) {
      self.server = server
      self.endpoint = endpoint
      self.isAskedByDefault = isAskedByDefault
      self.refusal = refusal
      self.unreachable = unreachable
    }
  }

  private func site(of server: SourceSetup.Server, at place: Int) -> Site {
    let setup = setups[place]
    var refusal: Ending?
    if let failure = server.badCredential {
      refusal = .failed(failure)
    } else if !setup.isReady(server) {
      let reason = server.missing ?? "a credential is needed"
      refusal = .skipped(reason: reason, needsCredential: true)
    }
    let unreachable = setup.source.unreachableReason(since: since, until: until, now: now)
    return Site(
      server,
      at: Endpoint(
        setup.source, at: server.address, credentials: server.credentials,
        credentialAdvice: server.credentialAdvice, addressVariable: setup.addressVariable),
      isAskedByDefault: setup.isAskedByDefault(server), refusal: refusal,
      unreachable: unreachable.map { .skipped(reason: $0) })
  }

  /// The searches of a query, in the order of the list of sources, whatever order they were named in.
  private struct Targets: Sendable {
    enum Step: Sendable {
      case ask(Site)
      case withoutAddress(SourceSetup)
    }

    /// The sources that the query names; nil for those asked by default.
    let names: [SourceName]?
    var steps: [Step] = []
    var unknownNames: [SourceName] = []
  }

  /// - Parameter places: The places of the sources among the setups.
  private func targets(
    named names: [SourceName]?, at sites: [[Site]], _ places: [SourceName: Int]
  ) -> Targets {
    var targets = Targets(names: names)
    // There may be thousands of sources that no query names.
    for place in names.map({ Set($0.compactMap { places[$0] }).sorted() }) ?? Array(setups.indices)
    {
      if names != nil, setups[place].servers.isEmpty {
        targets.steps.append(.withoutAddress(setups[place]))
      }
      for site in sites[place] where names != nil || site.isAskedByDefault {
        targets.steps.append(.ask(site))
      }
    }
    for name in names ?? [] where places[name] == nil && !targets.unknownNames.contains(name) {
      targets.unknownNames.append(name)
    }
    return targets
  }

  private func add(_ entry: RunQuery, at targets: Targets, to plan: inout [PlannedSearch]) {
    var splits: [SharedSplit] = []
    let wish = Wish([entry], self)
    for step in targets.steps {
      switch step {
      case .withoutAddress(let setup): plan.append(withoutAddress(entry, on: setup))
      case .ask(let site): plan.append(planned(wish, at: site, sharing: &splits))
      }
    }
    for name in targets.unknownNames { plan.append(unknown(entry, name)) }
  }

  /// Adds the searches of a query that is stored more than once: each entry asks its own sources.
  private func add(
    _ entries: [RunQuery], at sites: [[Site]], _ places: [SourceName: Int],
    to plan: inout [PlannedSearch]
  ) {
    var splits: [SharedSplit] = []
    for place in self.places(for: entries, places) {
      let setup = setups[place]
      let naming = entries.filter { named(by: $0)?.contains(setup.source.name) ?? false }
      if let entry = naming.first, setup.servers.isEmpty {
        plan.append(withoutAddress(entry, on: setup))
      }
      for site in sites[place] {
        let asking =
          site.isAskedByDefault ? entries.filter { isAsking($0, setup.source.name) } : naming
        if !asking.isEmpty {
          plan.append(planned(Wish(asking, self), at: site, sharing: &splits))
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

  /// The combined wishes of a query's entries for a search: the higher priority and cap.
  private struct Wish {
    let query: Query
    let priority: RequestPriority
    /// The most posts of a search; nil for no cap, which is higher than any.
    let cap: Int?
    let isCapDefault: Bool

    init(_ entries: [RunQuery], _ builder: PlanBuilder) {
      query = entries[0].query
      priority = entries.map(\.priority).max() ?? entries[0].priority
      let caps = entries.map { $0.limit ?? builder.defaultCap }
      cap = builder.flagCap ?? (caps.contains(nil) ? nil : caps.compactMap(\.self).max())
      isCapDefault =
        builder.isCapDefault && builder.flagCap == nil && entries.allSatisfy { $0.limit == nil }
    }
  }

  /// - Parameter splits: Those of the query so far, of which most searches share one.
  private func planned(
    _ wish: Wish, at site: Site, sharing splits: inout [SharedSplit]
  ) -> PlannedSearch {
    let endpoint = site.endpoint
    func skip(_ ending: Ending) -> PlannedSearch {
      .skip(
        SearchOutcome(
          tag: wish.query.text, source: endpoint.source.name, server: endpoint.server,
          ending: ending))
    }
    if let refusal = site.refusal { return skip(refusal) }
    let split = split(wish.query, at: endpoint, sharing: &splits)
    if let reason = endpoint.source.skipReason(for: split.split, with: endpoint.credentials) {
      // Any credential will do, since a source only checks whether there is one.
      let isAskedWithOne =
        endpoint.credentials == nil
        && isAllowed(wish.query, by: endpoint.source, with: Credentials([]))
      return skip(
        .skipped(reason: site.server.reason(reason), needsCredential: isAskedWithOne))
    }
    if let unreachable = site.unreachable { return skip(unreachable) }
    return .ask(
      Search(
        wish.query, at: endpoint, split: split, priority: wish.priority, cap: wish.cap,
        isCapDefault: wish.isCapDefault))
  }

  private func split(
    _ query: Query, at endpoint: Endpoint, sharing splits: inout [SharedSplit]
  ) -> SharedSplit {
    let split = endpoint.source.split(query, with: endpoint.credentials)
    if let known = splits.first(where: { $0.split.hasTerms(of: split) }) { return known }
    let new = SharedSplit(split)
    splits.append(new)
    return new
  }

  private func isAllowed(
    _ query: Query, by source: any Source, with credentials: Credentials
  ) -> Bool {
    source.skipReason(for: source.split(query, with: credentials), with: credentials) == nil
  }

  private func withoutAddress(_ query: RunQuery, on setup: SourceSetup) -> PlannedSearch {
    let name = setup.source.name
    let reason = "no address is configured; set \(setup.addressVariable)"
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

/// The queries of a run, with those that occur more than once together.
private struct QueryGroups: Sendable {
  /// The indices of the queries, each the first time that it occurs.
  private(set) var firsts: [Int] = []
  /// The indices where a query occurs again, by the first one.
  private(set) var further: [Int: [Int]] = [:]

  init(of queries: [RunQuery]) {
    guard queries.count > 1 else {
      firsts = Array(queries.indices)
      return
    }
    var known: [Query: Int] = [:]
    known.reserveCapacity(queries.count)
    firsts.reserveCapacity(queries.count)
    for index in queries.indices {
      if let first = known[queries[index].query] {
        further[first, default: []].append(index)
      } else {
        known[queries[index].query] = index
        firsts.append(index)
      }
    }
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
