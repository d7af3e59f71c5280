internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Hacker News, through Algolia's search of its stories and comments.
///
/// No credentials; newest first; 1 to 1000 hits a page, and 1000 in all for a query, beyond which a
/// message replaces the hits; dates in whole seconds; 10,000 requests an hour. It supports `"phrases"`
/// and `-word`, but not `OR`; authors are tags. https://hn.algolia.com/api
///
/// Matching of prefixes, typos, addresses and authors is turned off. As the index splits words in its
/// own way, they are filtered here as well.
package enum HackerNews {
  private static let abilities: QueryAbilities = [
    .words, .phrases, .authors, .anyAuthor, .excludedWords,
  ]

  // Its advanced syntax has only quotation marks and a leading `-`.
  private static let syntax = SearchLanguage(
    plainSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\-_`",
    plainFirstSigns: "+&#%/.'!?=*~^$()[]{}:;,<>@|\\_`",
    operators: [])

  private static let authors = Placeholder { page in
    let authors = page.split.remote(.author).map { "author_\($0.value)" }
    return authors.isEmpty ? nil : authors.joined(separator: ",")
  }

  package static let network = JSONNetwork(
    "hackernews",
    traits: SourceTraits(
      defaultServer: "https://hn.algolia.com", pageSize: 1...1000,
      pace: Pace(requests: 10_000, per: .seconds(3600)), abilities: abilities,
      filtersByDate: true, ceiling: 1000,
      attribution: "Posts belong to their authors; search by Algolia"),
    request: NetworkRequest(
      address: AddressTemplate(
        path: "/api/v1/search_by_date",
        parameters: [
          "query": "\(.terms)", "tags": "(story,comment)\(optional: ",(\(authors))")",
          "restrictSearchableAttributes": "title,story_text,comment_text",
          "typoTolerance": "false", "queryType": "prefixNone",
          "hitsPerPage": "\(.limit)", "page": "\(.page)",
          "numericFilters": """
          \(optional: "created_at_i>=\(.since(.epochSeconds))")\(joiner: ",")\
          \(optional: "created_at_i<\(.until(.epochSeconds))")
          """,
        ]),
      query: QueryRules(
        syntax: syntax, writesAuthors: false, abilities: abilities, match: .words,
        authorSigns: "_-"),
      paging: NetworkPaging(
        way: .page(first: 0), pages: "nbPages", total: "nbHits", isExact: true, limit: "message",
        ceiling: 1000, beyond: "Algolia returns only the newest 1000 posts of a query")),
    items: JSONNetwork.Items(path: "hits"),
    fields: PostFields(
      [
        .id: "objectID", .url: [.link("https://news.ycombinator.com/item?id=", "objectID")],
        .title: ["title", "story_title"], .text: ["comment_text", "story_text"],
        .authorHandle: "author",
        .authorURL: [.link("https://news.ycombinator.com/user?id=", "author")],
        .createdAt: ["created_at_i", "created_at"], .links: "url", .likes: "points",
        .replies: "num_comments", .replyTo: "parent_id",
      ], markup: [.text: .html]))
}
