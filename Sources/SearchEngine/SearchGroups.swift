internal import QueuedHTTP
internal import SearchModel
internal import SearchSources

/// The searches of a plan whose first requests are equal, so that one response serves them all.
struct SearchGroups: Sendable {
  /// Groups of at least two, each in plan order.
  private var groups: [[Int]] = []
  /// The group of each search that has one.
  private var places: [Int: Int] = [:]

  /// The searches whose requests one core makes at a time.
  private static let searchesInPart = 256

  /// - Parameter firstPage: Returns the first page of a search; nil for a skipped one.
  init(count: Int, firstPage: @Sendable (Int) -> (search: Search, page: PageRequest)?) {
    @Sendable func request(_ index: Int) -> SharedRequest? {
      firstPage(index).flatMap { SharedRequest($0.page, of: $0.search) }
    }
    // Nobody is asked before all requests have been made. Only hashes are kept; requests with equal hashes are made
    // again to compare them.
    let hashes = Array(stride(from: 0, to: count, by: Self.searchesInPart))
      .mapOnAllCores(partsOf: 1) { start in
        (start..<min(start + Self.searchesInPart, count)).map { request($0)?.hashValue }
      }
    var seen: [Int: Int] = [:]
    for (index, hash) in hashes.joined().enumerated() {
      guard let hash else { continue }
      guard let first = seen[hash] else {
        seen[hash] = index
        continue
      }
      guard let one = request(index), one == request(first) else { continue }
      let place = places[first] ?? groups.count
      if place == groups.count {
        groups.append([first])
        places[first] = place
      }
      groups[place].append(index)
      places[index] = place
    }
  }

  /// The group that contains a search, itself included; empty if it has none.
  func members(with index: Int) -> [Int] { places[index].map { groups[$0] } ?? [] }
}

/// The parts of a request that determine its response.
struct SharedRequest: Hashable {
  private let lane: Lane
  private let credentials: Credentials?
  private let method: HTTPMethod
  private let url: String
  private let headers: HTTPHeaders
  private let body: [UInt8]?

  /// Returns nil for a page that the source cannot request.
  init?(_ page: PageRequest, of search: Search) {
    guard let request = try? search.source.request(for: page) else { return nil }
    lane = search.lane
    credentials = search.credentials
    method = request.method
    url = request.url
    headers = request.headers
    body = request.body
  }

  // What tells most requests apart; whether two with one hash are equal is looked at anyway.
  func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(body)
  }
}
