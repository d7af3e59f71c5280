package import FoundationEssentials
internal import QueuedHTTP
package import SearchModel

/// One page of one search: everything that a source needs to write its request.
package struct PageRequest: Sendable {
  /// The query, split for the source and these credentials.
  package var split: QuerySplit
  package var server: ServerAddress
  /// Inclusive.
  package var since: Date?
  /// Exclusive.
  package var until: Date?
  /// The number of posts that the search still needs; nil for no cap.
  package var wanted: Int?
  /// The beginning of the page; nil for the first.
  package var cursor: Cursor?
  /// The number of pages of the search before this one.
  package var pagesBefore: Int
  /// The number of items on those pages. A search that ends at its network's ceiling looks like one that
  /// has found everything; only this tells the two apart.
  package var itemsBefore: Int
  /// The number of items on the largest of those pages.
  package var largestBefore: Int
  /// The credentials for this server, if any.
  package var credentials: Credentials?
  /// The advice if the server wants a credential and there is none; nil for the source's own advice.
  package var credentialAdvice: String?
  /// The variable that holds the source's addresses, if there is one.
  package var addressVariable: String?
  /// The session that a login opened.
  package var session: Session?
  /// The software that the server runs, if known.
  package var software: ServerSoftware?
  /// The run's filter. A network with operators for parts of it need not send the posts that would be left out.
  package var filter: PostFilter
  /// The run's now.
  package var now: Date
  /// The moment at which the response arrived, by the clock; waits count from here.
  package var answered: Date

  package init(
    _ split: QuerySplit, server: ServerAddress, since: Date? = nil, until: Date? = nil,
    wanted: Int? = nil, cursor: Cursor? = nil, pagesBefore: Int = 0, itemsBefore: Int = 0,
    largestBefore: Int = 0, credentials: Credentials? = nil, credentialAdvice: String? = nil,
    addressVariable: String? = nil, session: Session? = nil, software: ServerSoftware? = nil,
    filter: PostFilter = PostFilter(), now: Date, answered: Date? = nil
  ) {
    self.split = split
    self.server = server
    self.since = since
    self.until = until
    self.wanted = wanted
    self.cursor = cursor
    self.pagesBefore = pagesBefore
    self.itemsBefore = itemsBefore
    self.largestBefore = largestBefore
    self.credentials = credentials
    self.credentialAdvice = credentialAdvice
    self.addressVariable = addressVariable
    self.session = session
    self.software = software
    self.filter = filter
    self.now = now
    self.answered = answered ?? now
  }

  package var query: Query { split.query }

  /// The number of posts to request: those wanted, within the limits of the network.
  package func size(within range: ClosedRange<Int>) -> Int { Self.size(wanted, within: range) }

  /// The number of posts to request for a number of wanted ones; nil wants as many as a page has.
  package static func size(_ wanted: Int?, within range: ClosedRange<Int>) -> Int {
    min(max(wanted ?? range.upperBound, range.lowerBound), range.upperBound)
  }

  /// The beginning of the range of dates, rounded down to what a format can say.
  func since(_ spelling: DateSpelling) -> String? { since.map { spelling.text(of: $0, .down) } }

  /// The end of the range of dates, rounded up to what a format can say.
  func until(_ spelling: DateSpelling) -> String? { until.map { spelling.text(of: $0, .up) } }

  /// The time that a run may take in seconds, with all its waits.
  private static let longestRun: TimeInterval = 3600

  /// The length in seconds of a range that goes back to a date, for networks that count it from each request: it is as
  /// long for all requests of the run.
  func age(of date: Date) -> TimeInterval { now.timeIntervalSince(date) + Self.longestRun }

  /// Returns a request for a path of a server, with the parameters that have a value.
  ///
  /// - Parameter address: The server's address, if it is not that of the page.
  func request(
    _ path: String, on address: String? = nil, _ parameters: KeyValuePairs<String, String?>,
    headers: HTTPHeaders = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      url: PercentEncoding.url(address ?? server.text, path, parameters), headers: headers)
  }
}

/// The secrets for one server, in the order of the source's `credentialNames`; never printed.
package struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  package let values: [String]
  /// The variables that they come from; nil for those that the source names.
  package let names: [String]?

  package init(_ values: [String]) {
    self.values = values
    names = nil
  }

  package init(_ values: [String], names: [String]) {
    self.values = values
    self.names = names
  }

  /// The value for a source that needs only a token.
  package var token: String { values.first ?? "" }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
