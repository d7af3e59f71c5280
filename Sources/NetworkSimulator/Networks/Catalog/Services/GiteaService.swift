internal import TextFormats

/// Gitea and Forgejo: issues and pull requests of all repositories, the newest first. A range of time
/// is of the last change.
///
/// <https://docs.gitea.com/api/#tag/issue/operation/issueSearchIssues>
struct GiteaService: CatalogService {
  let name: String
  let routes = [["api", "v1", "repos", "issues", "search"]]
  let parameters: [String: ParameterRule] = [
    "q": .text, "state": .choice(["open", "closed", "all"]), "type": .choice(["issues", "pulls"]),
    "labels": .text, "milestones": .text, "owner": .text, "since": .text, "before": .text,
    "limit": .integer(1...50), "page": .integer(1...Int.max),
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let since = try moment(call["since"])
    let before = try moment(call["before"])
    // Gitea takes the words for a phrase, and Forgejo finds similar ones, too.
    let text = call["q"] ?? ""
    let phrase = text.contains(" ") ? "\"\(text)\"" : text
    let found = call.posts(near: phrase).filter { post in
      (since.map { post.changed >= $0 } ?? true) && (before.map { post.changed <= $0 } ?? true)
        && (call["state"] ?? "open" == "all" || (call["state"] == "closed") == isClosed(post))
    }
    let page = call.numberedPage(found, by: ("page", "limit"), size: 30)
    let items = call.world.items(
      page.shown.map(json), id: "id", text: ["title", "body"], date: "created_at")
    // Past the end there is a link to the last page, but not to a next one.
    let link = LinkHeader.value(
      [
        "next": page.next.map { call.address(["page": "\($0)"]) },
        "last": page.pages > 1 ? call.address(["page": "\(page.pages)"]) : nil,
      ], separator: ",")
    let answer = SimulatedAnswer.json(.array(items)).adding("X-Total-Count", "\(page.total)")
    return link.isEmpty ? answer : answer.adding("Link", link)
  }

  private func moment(_ text: String?) throws(CatalogError) -> Int? {
    guard let text else { return nil }
    guard let moment = DateReading.rfc3339(text) else {
      throw CatalogError(422, "parsing time \"\(text)\" as \"2006-01-02T15:04:05Z07:00\"")
    }
    return moment
  }

  private func isClosed(_ post: CorpusPost) -> Bool { post.has(131, percent: 30) }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let isMigrated = post.has(132, percent: 15)
    let login = isMigrated ? "Ghost" : post.author.handle
    return .members([
      "id": .integer(id),
      "url": .string("https://codeberg.org/api/v1/repos/group/words/issues/\(post.replies + 1)"),
      "html_url": .string("https://codeberg.org/group/words/issues/\(id)"),
      "number": .integer(post.replies + 1),
      "user": .members([
        "id": .number(isMigrated ? "-1" : "\(post.author.mark % 900_000)"), "login": .string(login),
        "full_name": .string(post.has(133, percent: 50) ? post.author.name : ""),
        "email": .string("\(login)@noreply.codeberg.org"),
        "html_url": .string("https://codeberg.org/\(login)"), "username": .string(login),
      ]), "original_author": isMigrated ? .string(post.author.handle) : "",
      "title": .string(post.title), "body": .string(post.plainText),
      "labels": .array(
        post.hashtags.map {
          .members(["id": .integer(7), "name": .string($0), "color": "ededed"])
        }), "milestone": .null, "assignee": .null,
      "state": .string(isClosed(post) ? "closed" : "open"), "is_locked": .bool(false),
      "comments": .integer(post.replies),
      "created_at": .string(DateForms.seconds(post.milliseconds)),
      "updated_at": .string(DateForms.seconds(post.changed)), "closed_at": .null,
      "pull_request": .null,
      "repository": .members([
        "id": .integer(531), "name": "words", "owner": "group", "full_name": "group/words",
      ]),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "message": .string(error.message), "url": .string("https://codeberg.org/api/swagger"),
      ]), status: error.status)
  }
}
