internal import TextFormats

/// A search of GitHub with its parameters checked.
struct GitHubSearch: Sendable {
  private let terms: QueryTerms
  private let key: String
  private let parameters: Parameters
  private let size: Int
  private let number: Int
  private let moments: ClosedRange<Int>
  private let kinds: Set<GitHubIssue.Kind>

  /// The number of results available per query.
  private static let ceiling = 1000
  private static let kindNames: [String: GitHubIssue.Kind] = [
    "is:issue": .issue, "type:issue": .issue, "is:pr": .pull, "is:pull-request": .pull,
    "type:pr": .pull,
  ]

  init(_ parameters: Parameters, now: Int) throws(GitHubFault) {
    self.parameters = parameters
    guard let query = parameters["q"], !query.isEmpty else {
      throw GitHubFault("Validation Failed", status: 422, detail: "The search query is missing")
    }
    let isAdvanced = parameters.isOn("advanced_search")
    var words: [String] = []
    var kinds: [GitHubIssue.Kind] = []
    var moments = Int.min...Int.max
    for token in query.split(whereSeparator: \.isWhitespace) {
      let bare = token.filter { $0 != "(" && $0 != ")" }
      if let kind = Self.kindNames[bare.lowercased()] {
        kinds.append(kind)
      } else if bare.lowercased() == "is:public" {
        // All that there is.
        continue
      } else if bare.hasPrefix("created:") {
        moments = try Self.moments(String(bare.dropFirst("created:".count)))
      } else {
        words.append(String(token))
      }
    }
    // Parentheses mean nothing to the simple search, in which two kinds exclude one another.
    if kinds.isEmpty || (query.contains("(") && !isAdvanced) {
      throw GitHubFault(
        "Query must include 'is:issue' or 'is:pull-request'", status: 422, detail: nil)
    }
    let text = words.joined(separator: " ")
    guard text.count <= 256 else {
      throw .invalid("The search is longer than 256 characters.")
    }
    self.moments = moments
    self.kinds = kinds.count > 1 && !query.contains(" OR ") ? [] : Set(kinds)
    key = text
    terms = QueryTerms(text)
    size = min(max(parameters.integer("per_page") ?? 30, 1), 100)
    number = max(parameters.integer("page") ?? 1, 1)
    // The page that ends at the ceiling is the last.
    guard (number - 1) * size < Self.ceiling else {
      throw GitHubFault("Only the first 1000 search results are available", status: 422)
    }
  }

  /// Reads `>=A`, `<=B`, `>A`, `<B` and `A..B` in milliseconds; dates count whole seconds.
  private static func moments(_ text: String) throws(GitHubFault) -> ClosedRange<Int> {
    func moment(_ text: some StringProtocol) throws(GitHubFault) -> Int {
      guard let moment = DateReading.rfc3339(String(text)) ?? DateReading.day(text) else {
        throw .invalid("'\(text)' is not a recognized date/time format.")
      }
      return moment
    }
    if let dots = text.firstRange(of: "..") {
      let start = try moment(text[..<dots.lowerBound])
      return start...max(start, try moment(text[dots.upperBound...]) + 999)
    }
    if text.hasPrefix(">=") { return try moment(text.dropFirst(2))...Int.max }
    if text.hasPrefix("<=") { return Int.min...(try moment(text.dropFirst(2)) + 999) }
    if text.hasPrefix(">") { return try moment(text.dropFirst()) + 1000...Int.max }
    if text.hasPrefix("<") { return Int.min...(try moment(text.dropFirst()) - 1) }
    let start = try moment(text)
    return start...start + 999
  }

  /// Returns the page that the search asks for, and how many results there are in all.
  func page(in world: SimulatedWorld) -> (body: JSONValue, total: Int) {
    var found = world.posts(terms, network: "github").map(GitHubIssue.init).filter {
      kinds.contains($0.kind) && moments.contains($0.post.seconds * 1000)
    }
    if parameters["sort"] != "created" {
      found.sort { ($0.post.likes, $0.post.mark) > ($1.post.likes, $1.post.mark) }
    } else if parameters["order"] == "asc" {
      found.reverse()
    }
    let fetchable = found.prefix(Self.ceiling)
    let page = world.cut(fetchable, at: (number - 1) * size, size: size)
    let shown = page.shown.prefix(key.hasPrefix("incomplete") ? size / 2 : size)
    let total = found.count + page.total - fetchable.count
    let items = world.items(shown.map(\.json), id: "id", text: ["title"], date: "created_at")
    let body = JSONValue.members([
      "total_count": .integer(total),
      // A search that takes too long ends with what it has.
      "incomplete_results": .bool(key.hasPrefix("incomplete")),
      "items": .array(items),
    ])
    return (body, total)
  }

  /// Returns the `Link` header; nil when everything is on one page.
  func links(
    of total: Int, request: SimulatedRequest, paging: PagingFault?
  ) -> String? {
    let last = max(1, (min(total, Self.ceiling) + size - 1) / size)
    guard last > 1, paging != .deadCursor else { return nil }
    let kept = parameters.pairs.filter { $0.name != "page" }
      .map { "\(PercentDecoding.encode($0.name))=\(PercentDecoding.encode($0.value))&" }.joined()
    func link(_ number: Int, _ relation: String) -> String {
      "<http://\(request.host)\(request.path)?\(kept)page=\(number)>; rel=\"\(relation)\""
    }
    var links: [String] = []
    if number > 1 { links.append(link(number - 1, "prev")) }
    if number < last { links += [link(number + 1, "next"), link(last, "last")] }
    if number > 1 { links.append(link(1, "first")) }
    return links.joined(separator: ", ")
  }
}

/// A post in the form of GitHub: an issue or a pull request.
struct GitHubIssue: Sendable {
  enum Kind: Sendable, Hashable { case issue, pull }

  let post: CorpusPost
  let kind: Kind

  init(_ post: CorpusPost) {
    self.post = post
    kind = post.has(31, percent: 40) ? .pull : .issue
  }

  private var id: UInt64 { 2_500_000_000 + post.mark % 900_000_000_000 }
  private var number: UInt64 { post.mark % 40_000 + UInt64(post.ordinal) * 40_000 }
  private var repository: String { "\(post.other.handle)/project\(post.mark % 7)" }
  private var moment: JSONValue { .string(DateForms.seconds(post.milliseconds)) }

  var json: JSONValue {
    let api = "https://api.github.com/repos/\(repository)/issues/\(number)"
    let page =
      "https://github.com/\(repository)/\(kind == .pull ? "pull" : "issues")/\(number)"
    let isClosed = post.has(32, percent: 30)
    return .members([
      "url": .string(api),
      "repository_url": .string("https://api.github.com/repos/\(repository)"),
      "html_url": .string(page), "id": .integer(id), "node_id": .string("I_\(id)"),
      "number": .integer(number), "title": .string(post.title),
      "user": post.has(33, percent: 4) ? .null : user,
      "labels": .array([.members(["id": .integer(1), "name": "bug", "color": "d73a4a"])]),
      "state": isClosed ? "closed" : "open",
      "state_reason": isClosed && kind == .issue ? "completed" : .null, "locked": .bool(false),
      "assignee": .null, "assignees": .emptyArray, "milestone": .null,
      "comments": .integer(post.replies), "created_at": moment,
      "updated_at": .string(DateForms.seconds(post.milliseconds + 60_000)),
      "closed_at": isClosed ? .string(DateForms.seconds(post.milliseconds + 60_000)) : .null,
      "author_association": "NONE", "draft": kind == .pull ? .bool(false) : nil,
      "pull_request": kind == .pull
        ? .members(["url": .string(api), "html_url": .string(page), "merged_at": .null]) : nil,
      "body": post.has(34, percent: 8) ? .null : .string(post.plainText),
      "reactions": .members([
        "total_count": .integer(post.likes + 1), "+1": .integer(post.likes), "-1": .integer(1),
      ]), "score": .number("1.0"),
    ])
  }

  private var user: JSONValue {
    .members([
      "login": .string(post.author.handle), "id": .integer(post.author.mark % 90_000_000),
      "html_url": .string("https://github.com/\(post.author.handle)"), "type": "User",
      "site_admin": .bool(false),
    ])
  }
}
