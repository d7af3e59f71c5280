package import FoundationEssentials
package import QueuedHTTP
package import SearchModel

/// What a source states of its network: where it is, what it needs and how far it can be trusted.
package struct SourceTraits: Sendable {
  /// The network's own public address; nil when it has none.
  package var defaultServer: String?
  /// The public address for those who have credentials, where that is another one.
  package var serverWithCredentials: String?
  /// Whether a server is the whole address of one document, query and all, and not what the paths of
  /// an API stand behind.
  package var takesWholeAddress: Bool
  /// How many posts one page may be asked for.
  package var pageSize: ClosedRange<Int>
  /// The names of the environment variables that hold its credentials, in the order of
  /// `Credentials`.
  package var credentialNames: [String]
  /// Whether it answers nothing without them.
  package var needsCredentials: Bool
  /// Whether a run asks it without credentials although nobody named it: false where that is answered
  /// too seldom to be tried each time.
  package var answersStrangers: Bool
  /// The pace that its public address asks for.
  package var pace: Pace?
  /// The pace with credentials, where the network allows another one then.
  package var paceWithCredentials: Pace?
  /// The order of its pages; a page may state another one, where servers of a network differ.
  package var order: PageOrder
  /// What of a query it can be asked for; the rest is judged here.
  package var abilities: QueryAbilities
  /// Whether its texts are beginnings or summaries of what was written.
  package var givesExcerpts: Bool
  /// Whether it filters by date itself; the run filters again in any case.
  package var filtersByDate: Bool
  /// The most posts of one query that the network documents; nil where it states no limit.
  package var ceiling: Int?
  /// How far back, in seconds, its search reaches; nil for any distance.
  package var horizon: TimeInterval?
  /// What a request is charged with; nil where asking is free.
  package var cost: RequestCost?
  /// Whose the posts are, and under which terms; one line.
  package var attribution: String

  package init(
    defaultServer: String?, serverWithCredentials: String? = nil, takesWholeAddress: Bool = false,
    pageSize: ClosedRange<Int>, credentialNames: [String] = [], needsCredentials: Bool = false,
    answersStrangers: Bool = true, pace: Pace? = nil, paceWithCredentials: Pace? = nil,
    order: PageOrder = .exact, abilities: QueryAbilities = .words, givesExcerpts: Bool = false,
    filtersByDate: Bool = false, ceiling: Int? = nil, horizon: TimeInterval? = nil,
    cost: RequestCost? = nil, attribution: String
  ) {
    self.defaultServer = defaultServer
    self.serverWithCredentials = serverWithCredentials
    self.takesWholeAddress = takesWholeAddress
    self.pageSize = pageSize
    self.credentialNames = credentialNames
    self.needsCredentials = needsCredentials
    self.answersStrangers = answersStrangers
    self.pace = pace
    self.paceWithCredentials = paceWithCredentials
    self.order = order
    self.abilities = abilities
    self.givesExcerpts = givesExcerpts
    self.filtersByDate = filtersByDate
    self.ceiling = ceiling
    self.horizon = horizon
    self.cost = cost
    self.attribution = attribution
  }

  /// The pace that its public address asks of those who have credentials, or of those who have none.
  package func pace(with credentials: Credentials?) -> Pace? {
    credentials == nil ? pace : paceWithCredentials ?? pace
  }
}
