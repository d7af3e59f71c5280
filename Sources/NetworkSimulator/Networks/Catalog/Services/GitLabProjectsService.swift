internal import TextFormats

/// GitLab: the projects whose names or descriptions hold a text.
///
/// <https://docs.gitlab.com/api/projects/#list-all-projects>
struct GitLabProjectsService: GitLabService {
  let name = "gitlab-projects"
  let routes = [["api", "v4", "projects"]]
  let parameters = listing.merging([
    "order_by": .choice([
      "id", "name", "created_at", "updated_at", "last_activity_at", "star_count",
    ]),
    "visibility": .choice(["public", "internal", "private"]), "archived": .text, "simple": .text,
    "last_activity_after": .moment, "last_activity_before": .moment,
  ]) { first, _ in first }

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    var found = call.posts(near: call["search"] ?? "").filter { post in
      (call["last_activity_after"].flatMap { DateReading.rfc3339($0) }.map { post.changed >= $0 }
        ?? true)
        && (call["last_activity_before"].flatMap { DateReading.rfc3339($0) }.map {
          post.changed <= $0
        } ?? true)
    }
    if call["sort"] == "asc" { found.reverse() }
    return answer(call, found, text: ["name", "description"], json)
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let group = post.author.handle
    let tags = JSONValue.texts(post.hashtags)
    return .members([
      "id": .integer(id), "description": .string(post.plainText), "name": .string(post.title),
      "name_with_namespace": .string("\(post.author.shownName) / \(post.title)"),
      "path": .string("words-\(id)"), "path_with_namespace": .string("\(group)/words-\(id)"),
      "created_at": .string(DateForms.milliseconds(post.milliseconds)), "default_branch": "main",
      "tag_list": tags, "topics": post.has(131, percent: 90) ? tags : nil,
      "web_url": .string("https://gitlab.com/\(group)/words-\(id)"), "avatar_url": .null,
      "forks_count": .integer(post.reposts), "star_count": .integer(post.likes),
      "last_activity_at": .string(DateForms.milliseconds(post.changed)),
      "namespace": .members([
        "id": .integer(post.author.mark % 900_000), "name": .string(post.author.shownName),
        "path": .string(group), "kind": "user", "full_path": .string(group), "parent_id": .null,
        "web_url": .string("https://gitlab.com/\(group)"),
      ]),
    ])
  }
}
