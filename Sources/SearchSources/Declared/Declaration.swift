package import QueuedHTTP
package import SearchModel
package import TextFormats

/// A source that is made of data.
package protocol DeclaredSource: Source {
  var declaration: Declaration { get set }
  /// Its requests, its queries and its paging.
  var request: NetworkRequest { get }
}

extension DeclaredSource {
  package var name: SourceName { declaration.name }

  package var traits: SourceTraits {
    get { declaration.traits }
    set { declaration.traits = newValue }
  }

  /// The notes of the declaration for its readers.
  package var facts: NetworkFacts { declaration.facts }

  package var errors: [ErrorRule] { declaration.errors }

  package func canBeAuthor(_ name: String) -> Bool { request.query.canBeAuthor(name) }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    request.unsupportedReason(for: split)
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    request.query.split(query)
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    request.paging.secondPage(after: page)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    if let reason = unsupportedReason(for: page.split, with: page.credentials) {
      throw Failure(.permanent, message: reason)
    }
    if traits.needsCredentials { _ = try requiredCredentials(of: page) }
    guard let request = request.request(for: page, credentialNames: traits.credentialNames) else {
      throw missingCredentials
    }
    return request
  }
}

/// The parts that declarations of all kinds share, except requests.
package struct Declaration: Sendable {
  enum Kind: String, CaseIterable { case json, feed }

  static let keys = [
    "anonymous", "newest_first", "excerpts", "late_hours", "requests_per_minute", "pace", "terms",
    "about",
  ]

  /// The default for `terms`.
  private static let terms = "Posts belong to their authors, under the terms of their server"

  let name: SourceName
  var traits: SourceTraits
  var facts = NetworkFacts()
  let errors: [ErrorRule]

  /// Reads a declaration of any kind.
  ///
  /// - Parameter ignored: Keys that something else reads.
  package static func source(
    _ name: SourceName, reading entry: JSONEntry, ignoring ignored: Set<String> = []
  ) throws(DocumentError) -> any DeclaredSource {
    let known = try entry.object(knowing: ["kind"], ignoresUnknown: true)
    return switch try known["kind"]?.choice() ?? Kind.json {
    case .json: try JSONNetwork(name, reading: entry, ignoring: ignored)
    case .feed: try FeedNetwork(name, reading: entry, ignoring: ignored)
    }
  }

  init(name: SourceName, traits: SourceTraits, errors: [ErrorRule]) {
    (self.name, self.traits, self.errors) = (name, traits, errors)
  }

  init(
    _ known: [String: JSONEntry], of request: NetworkRequest, named name: SourceName
  ) throws(DocumentError) {
    self.name = name
    let credentials = request.credentialNames
    let isAnonymous = try known["anonymous"]?.bool() ?? false
    let (pace, connections) = try Self.pace(known)
    let slots = request.slots
    traits = SourceTraits(
      defaultServer: request.address.usualServer?.text, pageSize: request.paging.sizes,
      credentialNames: credentials, needsCredentials: !credentials.isEmpty && !isAnonymous,
      pace: pace, connections: connections, order: try Self.order(known["newest_first"]),
      abilities: request.query.abilities,
      givesExcerpts: try known["excerpts"]?.bool() ?? false,
      filtersByDate: slots.contains(where: \.isSince) && slots.contains(where: \.isUntil),
      ceiling: request.paging.ceiling,
      lateness: 3600 * Double(try known["late_hours"]?.integer(in: 0...8760) ?? 1),
      attribution: try known["terms"]?.string(expected: "a line") ?? Self.terms)
    facts = try known["about"].map(NetworkFacts.init) ?? NetworkFacts()
    errors =
      try known["errors"]?.elements(expected: "a list of objects").map {
        entry throws(DocumentError) in try ErrorRule(entry)
      } ?? []
  }

  private static func order(_ entry: JSONEntry?) throws(DocumentError) -> PageOrder {
    guard let entry else { return .unordered }
    switch entry.value {
    case .bool(let isNewestFirst): return isNewestFirst ? .exact : .unordered
    case .string("roughly"): return .approximate
    default: throw entry.fault(expected: #"true, false or "roughly""#)
    }
  }

  private static func pace(
    _ known: [String: JSONEntry]
  ) throws(DocumentError) -> (Pace?, connections: Int?) {
    guard let entry = known["pace"] else {
      let requests = try known["requests_per_minute"]?.integer(in: 1...100_000)
      return (requests.map { Pace(requests: $0, per: .seconds(60)) }, nil)
    }
    if let other = known["requests_per_minute"] {
      throw other.fault(expected: "a pace or requests_per_minute, not both")
    }
    let parts = try entry.object(knowing: ["requests", "seconds", "connections"])
    let connections = try parts["connections"]?.integer(in: 1...8)
    guard parts["requests"] != nil || parts["seconds"] != nil else { return (nil, connections) }
    let requests = try parts["requests"]?.integer(in: 1...100_000) ?? 1
    let seconds = try parts["seconds"]?.integer(in: 1...86_400) ?? 1
    return (Pace(requests: requests, per: .seconds(seconds)), connections)
  }
}
