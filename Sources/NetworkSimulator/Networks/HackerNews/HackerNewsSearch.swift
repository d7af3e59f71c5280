internal import TextFormats

/// A search of Hacker News with its parameters checked.
struct HackerNewsSearch: Sendable {
  private let query: String
  private let parameters: Parameters
  private let isByDate: Bool
  private let size: Int
  private let number: Int
  private let filters: NumericFilters?
  private let tags: TagFilters?

  /// How many hits of one query can be fetched.
  private static let ceiling = 1000

  init(_ parameters: Parameters, isByDate: Bool) throws(HackerNewsFault) {
    self.parameters = parameters
    self.isByDate = isByDate
    query = parameters["query"] ?? ""
    size = try Self.integer("hitsPerPage", in: parameters, 20, 0...1000)
    number = try Self.integer("page", in: parameters, 0, 0...Int(Int32.max))
    if let text = parameters["numericFilters"] {
      filters = try NumericFilters(text)
    } else {
      filters = nil
    }
    tags = parameters["tags"].map { TagFilters($0) }
  }

  private static func integer(
    _ name: String, in parameters: Parameters, _ standard: Int, _ range: ClosedRange<Int>
  ) throws(HackerNewsFault) -> Int {
    guard let text = parameters[name] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw HackerNewsFault(
        message:
          """
          Invalid value for "\(name)" parameter, expected integer between \(range.lowerBound) and \
          \(range.upperBound)
          """
      )
    }
    return number
  }

  /// Returns the page that the search asks for.
  func page(in world: SimulatedWorld) -> JSONValue {
    guard size == 0 || number * size < Self.ceiling else { return beyondCeiling }
    var found = matches(in: world).map { HackerNewsItem($0, query: query) }
      .filter { item in
        (tags?.hold(item.tags) ?? true) && (filters?.hold(item.number) ?? true)
      }
    if !isByDate { found.sort { ($0.points ?? 0, $0.id) > ($1.points ?? 0, $1.id) } }
    let hits = found.dropFirst(number * size).prefix(min(size, Self.ceiling - number * size))
    let items = world.items(
      hits.map(\.json), id: "objectID", text: ["comment_text", "title"], date: "created_at")
    let fetchable = min(found.count, Self.ceiling)
    return .members([
      "exhaustive": .members(["nbHits": .bool(false), "typo": .bool(false)]),
      "exhaustiveNbHits": .bool(false), "exhaustiveTypo": .bool(false), "hits": .array(items),
      "hitsPerPage": .integer(size), "nbHits": .integer(found.count),
      "nbPages": .integer(size == 0 ? 0 : (fetchable + size - 1) / size),
      "page": .integer(number), "params": .string(echo), "processingTimeMS": .integer(4),
      "query": .string(query), "serverTimeMS": .integer(6),
    ])
  }

  /// What the index matches, newest first: unless it is told otherwise, also posts with a longer word,
  /// with a word spelt almost so, and those that hold it only in their address or their author's name.
  private func matches(in world: SimulatedWorld) -> [CorpusPost] {
    let terms = QueryTerms(query)
    let posts = world.posts(terms, network: "hackernews")
    var further: [CorpusPost] = []
    for post in posts where terms.hasWords {
      if post.has(101, percent: 8), parameters["queryType"] != "prefixNone" {
        further.append(post.nearMiss(of: terms.words) { $0 + "ly" })
      }
      if post.has(102, percent: 8), parameters["typoTolerance"] != "false" {
        further.append(post.nearMiss(of: terms.words) { $0 + "t" })
      }
      if post.has(103, percent: 8), parameters["restrictSearchableAttributes"] == nil {
        further.append(post.nearMiss(of: terms.words) { _ in "elsewhere" })
      }
    }
    guard !further.isEmpty else { return posts }
    return (posts + further).sorted { $0.milliseconds > $1.milliseconds }
  }

  private var beyondCeiling: JSONValue {
    .members([
      "hits": .emptyArray, "nbHits": .integer(0), "page": .integer(number), "nbPages": .integer(0),
      "hitsPerPage": .integer(size), "exhaustiveNbHits": .bool(true), "query": .string(query),
      "params": .string(echo), "processingTimeMS": .integer(1),
      "message": .string(
        """
        you can only fetch the 1000 hits for this query. You can extend the number of hits returned \
        via the paginationLimitedTo index parameter or use the browse method. You can read our FAQ \
        for more details about browsing: https://www.algolia.com/doc/faq/index-configuration/\
        how-can-i-retrieve-all-the-records-in-my-index
        """
      ),
    ])
  }

  private var echo: String {
    """
    advancedSyntax=true&analytics=true&query=\(PercentDecoding.encode(query))&hitsPerPage=\(size)\
    &page=\(number)
    """
  }
}
