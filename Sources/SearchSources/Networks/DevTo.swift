internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// DEV and other Forem communities, through the articles of a tag: the API has no word search.
///
/// No credentials. Articles are sorted by activity, not by date; dates only restrict them to the last
/// days. A page has up to 1000 articles, or fewer if the server says so, so that only an empty one is
/// the end. Excluded tags are filtered here, as the server ignores `tags_exclude` beside `tag`. Texts
/// are the articles' own summaries. https://developers.forem.com/api/v1#tag/articles
package enum DevTo {
  /// The number of days before now that reach back to `since`.
  private static let days = Placeholder { page in
    guard let since = page.since else { return nil }
    let days = (page.now.timeIntervalSince(since) / 86_400).rounded(.up)
    // One more, as the server's clock may differ.
    return (1...3650).contains(days) ? String(Int(days) + 1) : nil
  }

  package static let network = JSONNetwork(
    "devto",
    traits: SourceTraits(
      defaultServer: "https://dev.to", pageSize: 250...1000,
      pace: Pace(requests: 3, per: .seconds(1)), order: .unordered, abilities: [.tags],
      givesExcerpts: true,
      attribution: "Articles belong to their authors, under DEV's terms of use"),
    request: NetworkRequest(
      address: AddressTemplate(
        path: "/api/articles",
        parameters: [
          "tag": "\(.lowercaseTag)", "per_page": "\(.limit)", "page": "\(.page)",
          "top": "\(days)",
        ]),
      headers: [.init(name: "Accept", value: "application/vnd.forem.api-v1+json")],
      query: QueryRules(abilities: [.tags], takesTagOnly: true),
      paging: NetworkPaging(way: .page(first: 1))),
    fields: PostFields(
      [
        .id: "id", .url: "url", .uri: "url", .title: "title", .text: "description",
        .authorHandle: "user.username", .authorName: "user.name",
        .authorURL: [.below("/", "user.username")],
        .createdAt: ["published_at", "published_timestamp"], .editedAt: "edited_at",
        // On some servers the tags are one string.
        .language: "language", .topics: [.each("tag_list", split: ",")],
        // An article that was first published elsewhere links there.
        .links: "canonical_url", .media: "cover_image",
        .likes: ["public_reactions_count", "positive_reactions_count"],
        .replies: "comments_count",
      ], mediaKind: .image))
}
