internal import TextFormats

/// A search of Bluesky with its parameters checked against the lexicon.
struct BlueskySearch: Sendable {
  private let terms: QueryTerms
  private let parameters: Parameters
  private let limit: Int
  private let offset: Int
  private let since: Int
  private let until: Int

  init(_ parameters: Parameters) throws(BlueskyFault) {
    self.parameters = parameters
    guard let query = parameters["q"] else {
      throw Self.invalid("Error: Params must have the property \"q\"")
    }
    guard !query.isEmpty else {
      throw Self.invalid("Error: q must not be shorter than 1 characters")
    }
    terms = QueryTerms(
      query.split(separator: " ").filter { !$0.hasPrefix("did:") }.joined(separator: " "))
    if let text = parameters["limit"] {
      guard let number = Int(text) else { throw Self.invalid("Error: limit must be an integer") }
      guard number >= 1 else { throw Self.invalid("Error: limit can not be less than 1") }
      guard number <= 100 else { throw Self.invalid("Error: limit can not be greater than 100") }
      limit = number
    } else {
      limit = 25
    }
    if let cursor = parameters["cursor"], !cursor.isEmpty {
      guard let number = Int(cursor), number >= 0 else {
        throw Self.invalid("Malformed cursor")
      }
      offset = number
    } else {
      offset = 0
    }
    // Dates that are none are ignored without a word.
    since = parameters["since"].flatMap(Self.moment) ?? .min
    until = parameters["until"].flatMap(Self.moment) ?? .max
  }

  private static func invalid(_ message: String) -> BlueskyFault {
    BlueskyFault("InvalidRequest", message, status: 400)
  }

  @Sendable private static func moment(_ text: String) -> Int? {
    DateReading.day(text) ?? DateReading.rfc3339(text)
  }

  /// Returns the page that the search asks for.
  func page(in world: SimulatedWorld) -> JSONValue {
    var found = world.posts(terms, network: "bluesky").map(BlueskyPost.init)
      .filter { post in
        post.sortedBy >= since && post.sortedBy < until && isChosen(post.post)
      }
    if parameters["sort"] == "top" {
      found.sort { ($0.post.likes, $0.post.mark) > ($1.post.likes, $1.post.mark) }
    } else {
      found.sort { ($0.sortedBy, $1.post.ordinal) > ($1.sortedBy, $0.post.ordinal) }
    }
    let page = world.cut(found, at: offset, size: limit)
    // Hidden posts are removed after the index lookup, so pages can be short.
    let shown = page.shown.filter { !$0.post.has(11, percent: 3) }
    let items = world.items(shown.map(\.json), id: "uri", text: ["record"], date: "indexedAt")
    return .members([
      "posts": .array(items), "cursor": world.cursor(page.next.map { "\($0)" }),
    ])
  }

  private func isChosen(_ post: CorpusPost) -> Bool {
    if let language = parameters["lang"], post.language != language { return false }
    if let author = parameters["author"] {
      let names = [BlueskyPost.handle(post.author), BlueskyPost.did(post.author)]
      if !names.contains(author) { return false }
    }
    if let domain = parameters["domain"], post.link?.contains("://\(domain)") != true {
      return false
    }
    if let url = parameters["url"], post.link != url { return false }
    // An identifier in the query is an author.
    let identifiers = (parameters["q"] ?? "").split(separator: " ").filter { $0.hasPrefix("did:") }
    if let did = identifiers.last, BlueskyPost.did(post.author) != did { return false }
    return parameters.all("tag").allSatisfy { tag in
      post.pieces.contains { $0.plain.lowercased() == "#" + tag.lowercased() }
    }
  }
}
