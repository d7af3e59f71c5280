internal import TextFormats

/// Hacker News as Algolia searches it.
///
/// <https://hn.algolia.com/api>
struct HackerNewsNetwork: SimulatedNetwork {
  let name = "hackernews"

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    let isByDate = request.route == ["api", "v1", "search_by_date"]
    guard isByDate || request.route == ["api", "v1", "search"] else {
      return refusal(404, to: request)
    }
    guard request.method == "GET" else { return refusal(405, to: request) }
    do {
      let search = try HackerNewsSearch(Parameters(request.query), isByDate: isByDate)
      return .json(search.page(in: world))
    } catch {
      return fault(error.message, status: 400)
    }
  }

  private func fault(_ message: String, status: Int) -> SimulatedAnswer {
    .json(.members(["message": .string(message), "status": .integer(status)]), status: status)
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    fault(ReasonPhrase.of(status), status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    fault("Too many requests", status: 429).adding("Retry-After", "\(wait.seconds)")
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: "hackernews", limit: 10_000, seconds: 3600)
  }
}

/// A search of Hacker News with its parameters checked.
struct HackerNewsSearch: Sendable {
  private let query: String
  private let parameters: Parameters
  private let isByDate: Bool
  private let size: Int
  private let number: Int
  private let filters: NumericFilters?
  private let tags: TagFilters?

  /// The number of hits available per query.
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
    _ name: String, in parameters: Parameters, _ defaultValue: Int, _ range: ClosedRange<Int>
  ) throws(HackerNewsFault) -> Int {
    guard let text = parameters[name] else { return defaultValue }
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
    let page = world.cut(found, at: number * size, size: size)
    let hits = page.shown.prefix(min(size, Self.ceiling - number * size))
    let items = world.items(
      hits.map(\.json), id: "objectID", text: ["comment_text", "title"], date: "created_at")
    let fetchable = min(page.total, Self.ceiling)
    return .members([
      "exhaustive": .members(["nbHits": .bool(false), "typo": .bool(false)]),
      "exhaustiveNbHits": .bool(false), "exhaustiveTypo": .bool(false), "hits": .array(items),
      "hitsPerPage": .integer(size), "nbHits": .integer(page.total),
      "nbPages": .integer(size == 0 ? 0 : (fetchable + size - 1) / size),
      "page": .integer(number), "params": .string(echo), "processingTimeMS": .integer(4),
      "query": .string(query), "serverTimeMS": .integer(6),
    ])
  }

  /// Matches of the index, newest first: unless the request says otherwise, also posts with a longer word,
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

/// Algolia's `numericFilters`: comparisons that must all hold, or one of those in parentheses.
struct NumericFilters: Sendable {
  private struct Comparison: Sendable {
    let attribute: String
    let relation: String
    let number: Double

    func holds(_ value: Double) -> Bool {
      switch relation {
      case "<": value < number
      case "<=": value <= number
      case ">": value > number
      case ">=": value >= number
      case "!=": value != number
      default: value == number
      }
    }
  }

  private let groups: [[Comparison]]

  init(_ text: String) throws(HackerNewsFault) {
    var groups: [[Comparison]] = []
    for group in TagFilters.groups(text) {
      var comparisons: [Comparison] = []
      for term in group { comparisons.append(try Self.comparison(term)) }
      groups.append(comparisons)
    }
    self.groups = groups
  }

  private static func comparison(_ term: String) throws(HackerNewsFault) -> Comparison {
    let isPart: (Character) -> Bool = { "<>=!".contains($0) }
    guard let start = term.firstIndex(where: isPart),
      let end = term[start...].firstIndex(where: { !isPart($0) }),
      ["<", "<=", "=", ">", ">=", "!="].contains(term[start..<end]),
      let number = Double(term[end...].filter { $0 != " " })
    else {
      throw HackerNewsFault(
        message:
          """
          Invalid syntax for numeric condition: \(term), expected a comparison of a numeric \
          attribute
          """
      )
    }
    let attribute = term[..<start].filter { $0 != " " }
    guard ["created_at_i", "points", "num_comments", "story_id", "parent_id"].contains(attribute)
    else {
      throw HackerNewsFault(
        message: "invalid numeric attribute(\(attribute)) not in numericAttributesForFiltering")
    }
    return Comparison(attribute: attribute, relation: String(term[start..<end]), number: number)
  }

  /// Returns true if all conditions hold; `value` returns an attribute of the item, or nil.
  func hold(_ value: (String) -> Double?) -> Bool {
    groups.allSatisfy { group in
      group.contains { comparison in
        value(comparison.attribute).map { comparison.holds($0) } ?? false
      }
    }
  }
}

/// Algolia's `tags`: all must be there, or one of those in parentheses.
struct TagFilters: Sendable {
  private let groups: [[String]]

  init(_ text: String) { groups = Self.groups(text) }

  func hold(_ tags: [String]) -> Bool {
    groups.allSatisfy { group in group.contains { tags.contains($0) } }
  }

  /// Returns the terms between commas, those in parentheses together.
  static func groups(_ text: String) -> [[String]] {
    var groups: [[String]] = []
    var isInside = false
    for part in text.split(separator: ",") {
      let opens = part.hasPrefix("(")
      let closes = part.hasSuffix(")")
      let term = String(part.filter { $0 != "(" && $0 != ")" })
      if isInside, !groups.isEmpty {
        groups[groups.count - 1].append(term)
      } else {
        groups.append([term])
      }
      if opens { isInside = true }
      if closes { isInside = false }
    }
    return groups
  }
}

/// A parameter that Algolia refuses, in its words.
struct HackerNewsFault: Error {
  let message: String
}
