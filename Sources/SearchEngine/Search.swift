package import FoundationEssentials
package import QueuedHTTP
package import SearchModel
package import SearchSources

/// A source on one server, with the credentials for it: everything that the searches there share.
package final class Endpoint: Sendable {
  package let source: any Source
  /// The source's traits: to ask it for them copies a large value.
  package let traits: SourceTraits
  package let server: ServerAddress
  /// The credentials for this server; nil searches anonymously.
  package let credentials: Credentials?
  /// The advice if the server wants a credential and there is none; nil for that of the source.
  package let credentialAdvice: String?
  /// The variable that holds the source's addresses; nil if nobody can set one.
  package let addressVariable: String?
  /// The key of limits, pace and cool-down: a source on a server, so that networks that share a
  /// gateway do not block one another.
  package let lane: Lane
  /// The pace that the source documents; nil on an address that the user configured in place of the network's own, as
  /// its rules do not apply there.
  package let statedPace: Pace?
  /// The reason the network may have posts that it no longer finds; nil if it finds all of them.
  let horizonReason: String?

  package init(
    _ source: any Source, at server: ServerAddress, credentials: Credentials? = nil,
    credentialAdvice: String? = nil, addressVariable: String? = nil
  ) {
    self.source = source
    traits = source.traits
    self.server = server
    self.credentials = credentials
    self.credentialAdvice = credentialAdvice
    self.addressVariable = addressVariable
    lane = Lane(of: source.name, on: server)
    // Without a server of its own its rules are for every one, but for those on this machine.
    let isOwn =
      traits.defaultServer == nil
      ? !server.isLoopback
      : [traits.defaultServer, traits.serverWithCredentials].contains(server.text)
    statedPace = isOwn ? traits.pace(with: credentials) : nil
    horizonReason = traits.horizon.map {
      "this network's search reaches back no more than \(Int($0 / 86_400)) days"
    }
  }

  /// The same endpoint with another adapter in front of the network.
  package func with(_ source: any Source) -> Endpoint {
    Endpoint(
      source, at: server, credentials: credentials, credentialAdvice: credentialAdvice,
      addressVariable: addressVariable)
  }
}

/// A query, split for a source: searches whose sources split it in the same way share it.
package final class SharedSplit: Sendable {
  package let split: QuerySplit

  package init(_ split: QuerySplit) { self.split = split }
}

/// One tag on one source on one server.
///
/// Plans hold millions of these: what searches have in common is shared by reference, and properties are in an
/// order that leaves few bytes between them.
package struct Search: Sendable {
  package var endpoint: Endpoint
  private let shared: SharedSplit
  /// The maximum number of posts; nil for no cap.
  package var cap: Int?
  package var priority: RequestPriority
  /// True if the cap is a default, so that a search which returns less has not fallen short.
  package var isCapDefault: Bool
  /// True if earlier runs have read some of its posts, which no longer count.
  package var hasKnownPosts = false
  /// True if no earlier run has answered it: it is a sample, whose further posts count as known.
  package var isFirstRun = false
  /// True if its source is asked for one window of dates after the other. It takes as many pages as they have, and
  /// reads no responses to equal requests of other searches, whose later pages differ.
  package var readsWindows = false
  /// The date up to which earlier runs have read all posts; nil if they have not.
  package var readUpTo: Date?
  /// The date down to which it reads pages although it has found enough, to see posts that arrived late;
  /// nil for nothing of the kind.
  package var lookBackTo: Date?

  /// - Parameter split: The query, split for the endpoint's source; nil to split it here.
  package init(
    _ query: Query, at endpoint: Endpoint, split: SharedSplit? = nil,
    priority: RequestPriority = .normal, cap: Int? = nil, isCapDefault: Bool = false
  ) {
    self.endpoint = endpoint
    shared = split ?? SharedSplit(endpoint.source.split(query, with: endpoint.credentials))
    self.priority = priority
    self.cap = cap
    self.isCapDefault = isCapDefault
  }

  /// The query, split for the endpoint's source.
  package var split: QuerySplit { shared.split }
  package var query: Query { split.query }
  package var source: any Source { endpoint.source }
  package var server: ServerAddress { endpoint.server }
  package var credentials: Credentials? { endpoint.credentials }
  package var lane: Lane { endpoint.lane }

  /// Its outcome, once it has one.
  package func outcome(_ ending: Ending) -> SearchOutcome {
    var outcome = SearchOutcome(
      tag: query.text, source: source.name, server: server, ending: ending)
    outcome.isRaw = query.isRaw
    return outcome
  }

  /// True if it is to find every post that earlier runs have not read.
  var isToBeWhole: Bool { hasKnownPosts && !isFirstRun }

  /// True if some of the posts that it finds are filtered out here, or known to earlier runs.
  func isFiltered(by filter: PostFilter) -> Bool {
    !filter.isEmpty || !split.local.isEmpty || hasKnownPosts
  }
}

/// A search to run, or the outcome of one that is left out.
package enum PlannedSearch: Sendable {
  case ask(Search)
  // Few searches are skipped, and an outcome is larger than a search.
  indirect case skip(SearchOutcome)
  /// A search that earlier runs have answered, at least in part.
  indirect case stored(StoredSearch)
}

/// The posts that earlier runs found for a search, which count as if this run had read them.
package struct StoredSearch: Sendable {
  package var search: Search
  package var posts: [Post]
  /// The outcome; nil if the search before it in the plan asks for the rest, and has the outcome.
  package var outcome: SearchOutcome?
  /// The posts that the filters of the earlier run removed.
  package var excluded: FilterTally
  /// Nil if nobody asks how old the answer is.
  package var age: StoredAge?

  package init(
    _ search: Search, posts: [Post], outcome: SearchOutcome? = nil,
    excluded: FilterTally = FilterTally(), age: StoredAge? = nil
  ) {
    self.search = search
    self.posts = posts
    self.outcome = outcome
    self.excluded = excluded
    self.age = age
  }
}

extension Lane {
  /// The lane of a source on one of its servers.
  package init(of source: SourceName, on server: ServerAddress?) {
    self.init(rawValue: "\(source) \(server?.text ?? "")")
  }

  /// The name of its source, which has no blanks.
  package var source: String { String(rawValue.prefix { $0 != " " }) }

  /// The address of its server.
  package var server: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

  /// The group by which all requests of the lane are canceled.
  package var group: RequestGroup { RequestGroup(rawValue: rawValue) }
}
