internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Lobsters' stories, through their tag, as its search has no JSON API.
///
/// Other terms are filtered here. No credentials; 25 stories a page, newest first; dates are filtered
/// here. An unknown tag is a 404, but not a failure: the site's tags are few and fixed. Nothing names the
/// next page, and any may be short: the hidden stories are left out afterwards. 4 requests a second and
/// 100 in 10 minutes. https://lobste.rs/about
package enum Lobsters {
  package static let network = JSONNetwork(
    "lobsters",
    traits: SourceTraits(
      defaultServer: "https://lobste.rs", pageSize: 25...25,
      pace: Pace(requests: 4, per: .seconds(24)), abilities: [.tags],
      attribution: "Stories belong to their authors; the site asks not to be scraped"),
    request: NetworkRequest(
      address: AddressTemplate(
        path: "/t/\(.lowercaseTag)\(optional: "/page/\(.laterPage)").json"),
      query: QueryRules(abilities: [.tags], takesTagOnly: true),
      paging: NetworkPaging(way: .page(first: 1))),
    fields: PostFields([
      .id: "short_id", .url: ["short_id_url", .below("/s/", "short_id")], .title: "title",
      .text: ["description_plain", .html("description")],
      // Until 2023 the submitter was an object.
      .authorHandle: ["submitter_user", "submitter_user.username"],
      .authorURL: [.below("/~", "submitter_user"), .below("/~", "submitter_user.username")],
      .createdAt: "created_at", .topics: "tags", .links: ["url", .html("description")],
      .likes: "score", .replies: "comment_count",
    ]),
    errors: [
      ErrorRule(
        statuses: [404], meaning: .none,
        note: "there is no such tag, or the server is not a Lobsters site")
    ])
}
