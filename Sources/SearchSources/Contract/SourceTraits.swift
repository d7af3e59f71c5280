package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// The properties of a source's network: where it is, what it needs, and how its results are ordered.
package struct SourceTraits: Sendable {
  /// The network's own public address; nil if it has none.
  package var defaultServer: String?
  /// The public address for users with credentials, if that is a different one.
  package var serverWithCredentials: String?
  /// True if a server is the whole address of one document, query included, and not the base of an
  /// API's paths.
  package var takesWholeAddress: Bool
  /// The allowed numbers of posts a page.
  package var pageSize: ClosedRange<Int>
  /// The number of the first page, on a network that numbers its pages.
  package var firstPage: Int?
  /// The environment variables of its credentials, in the order of `Credentials`.
  package var credentialNames: [String]
  /// True if all requests need credentials.
  package var needsCredentials: Bool
  /// True if a run includes it by default without credentials; false if such requests mostly fail.
  package var isSearchedAnonymously: Bool
  /// The rate limit of its public address.
  package var pace: Pace?
  /// The rate limit with credentials, if that is a different one.
  package var paceWithCredentials: Pace?
  /// The number of requests that its public address allows at the same time; nil for no limit.
  package var connections: Int?
  /// The order of its pages; a page may state another one, if servers of the network differ.
  package var order: PageOrder
  /// The terms that it can search for; others are filtered here.
  package var abilities: QueryAbilities
  /// True if it returns excerpts or summaries instead of whole texts.
  package var givesExcerpts: Bool
  /// True if it filters by date; the run filters again in any case.
  package var filtersByDate: Bool
  /// The documented maximum number of posts of one query; nil for no maximum.
  package var ceiling: Int?
  /// True if credentials lift the ceiling.
  package var credentialsLiftCeiling: Bool
  /// The reach of its search into the past, in seconds; nil for no limit.
  package var horizon: TimeInterval?
  /// The time by which posts may arrive late, in seconds: a post that is missing today may be listed
  /// later with a date that lies this far back.
  package var lateness: TimeInterval
  /// The price of a request; nil if it is free.
  package var cost: RequestCost?
  /// The owners and terms of the posts, on one line.
  package var attribution: String

  package init(
    defaultServer: String?, serverWithCredentials: String? = nil, takesWholeAddress: Bool = false,
    pageSize: ClosedRange<Int>, firstPage: Int? = nil, credentialNames: [String] = [],
    needsCredentials: Bool = false, isSearchedAnonymously: Bool = true, pace: Pace? = nil,
    paceWithCredentials: Pace? = nil, connections: Int? = nil,
    order: PageOrder = .exact, abilities: QueryAbilities = .words, givesExcerpts: Bool = false,
    filtersByDate: Bool = false, ceiling: Int? = nil, credentialsLiftCeiling: Bool = false,
    horizon: TimeInterval? = nil, lateness: TimeInterval = SourceTraits.usualLateness,
    cost: RequestCost? = nil, attribution: String
  ) {
    self.defaultServer = defaultServer
    self.serverWithCredentials = serverWithCredentials
    self.takesWholeAddress = takesWholeAddress
    self.pageSize = pageSize
    self.firstPage = firstPage
    self.credentialNames = credentialNames
    self.needsCredentials = needsCredentials
    self.isSearchedAnonymously = isSearchedAnonymously
    self.pace = pace
    self.paceWithCredentials = paceWithCredentials
    self.connections = connections
    self.order = order
    self.abilities = abilities
    self.givesExcerpts = givesExcerpts
    self.filtersByDate = filtersByDate
    self.ceiling = ceiling
    self.credentialsLiftCeiling = credentialsLiftCeiling
    self.horizon = horizon
    self.lateness = lateness
    self.cost = cost
    self.attribution = attribution
  }

  /// The maximum number of posts of one query with or without credentials.
  package func ceiling(with credentials: Credentials?) -> Int? {
    credentialsLiftCeiling && credentials != nil ? nil : ceiling
  }

  /// The lateness from which a network is read back once a day: other servers pass posts on to it, or
  /// it lists them by the moment when it saw them.
  package static let longLateness: TimeInterval = 86_400

  /// The lateness of most networks, whose pages are not read again.
  package static let usualLateness: TimeInterval = 3600

  /// True if posts arrive so late that earlier pages are read again, once in `readBackInterval`. That costs nothing.
  package var isReadBack: Bool { lateness > Self.usualLateness && cost == nil }

  /// The seconds after which earlier pages are read again: their lateness, and a day at most.
  package var readBackInterval: TimeInterval { min(lateness, Self.longLateness) }

  /// The earliest date to ask for at a moment, an hour within the horizon, as networks refuse an earlier one; nil for
  /// any date.
  package func earliest(at now: Date) -> Date? {
    horizon.map { now.addingTimeInterval(3600 - $0) }
  }

  /// The rate limit of the public address with or without credentials.
  package func pace(with credentials: Credentials?) -> Pace? {
    credentials == nil ? pace : paceWithCredentials ?? pace
  }
}

/// The price of a request, in a unit of the network's own.
package struct RequestCost: Hashable, Sendable {
  /// The price of each request, whatever its answer.
  package var perRequest: Int
  /// The minimum additional price of each post.
  package var perPost: Int
  /// The maximum price of a post with everything that comes with it, such as its author and the posts
  /// that it refers to. `Page.charged` is the real price of an answer.
  package var mostPerPost: Int
  /// The unit, for people: `posts read`, `quota units`.
  package var unit: String
  /// The bound for one run, unless `--max-cost` is given.
  package var defaultBound: Int

  package init(
    perRequest: Int = 0, perPost: Int = 0, mostPerPost: Int? = nil, unit: String, defaultBound: Int
  ) {
    self.perRequest = perRequest
    self.perPost = perPost
    self.mostPerPost = mostPerPost ?? perPost
    self.unit = unit
    self.defaultBound = defaultBound
  }

  /// The minimum price of a request that returns a number of posts.
  package func of(posts: Int) -> Int { perRequest + perPost * posts }

  /// The maximum price of a request that returns a number of posts.
  package func most(ofPosts posts: Int) -> Int { perRequest + mostPerPost * posts }
}
