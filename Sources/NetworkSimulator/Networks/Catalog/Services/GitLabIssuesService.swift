internal import TextFormats

/// GitLab: issues, with the names of their labels.
///
/// <https://docs.gitlab.com/api/issues/#list-issues>
struct GitLabIssuesService: GitLabService {
  let name = "gitlab-issues"
  let routes = [["api", "v4", "issues"]]
  let parameters = listing.merging([
    "order_by": .choice(["created_at", "updated_at", "priority", "due_date", "title"]),
    "scope": .choice(["created_by_me", "assigned_to_me", "all"]), "in": .text,
    "state": .choice(["opened", "closed", "all"]), "created_after": .moment,
    "created_before": .moment, "updated_after": .moment, "updated_before": .moment,
    "confidential": .choice(["true", "false"]),
  ]) { first, _ in first }

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    // By default it lists one's own issues only, and nobody is anyone without a token.
    guard call["scope"] == "all" || call.request.header("private-token") != nil else {
      throw CatalogError(401, "Unauthorized")
    }
    let moments = Range.moments(
      from: call["created_after"].flatMap { DateReading.rfc3339($0) },
      before: call["created_before"].flatMap { DateReading.rfc3339($0) }.map { $0 + 1 })
    // Each word is the beginning of one.
    var found = call.posts(near: call["search"] ?? "", within: moments)
    if call["sort"] == "asc" { found.reverse() }
    return answer(call, found, text: ["title", "description"], json)
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let id = post.mark % 90_000_000 + 1
    let user = post.author
    return .members([
      "id": .integer(id), "iid": .integer(post.replies + 1), "project_id": .integer(13_083),
      "title": .string(post.title), "description": .string(post.plainText), "state": "opened",
      "created_at": .string(DateForms.milliseconds(post.milliseconds)),
      "updated_at": .string(DateForms.milliseconds(post.changed)), "closed_at": .null,
      "labels": .texts(post.hashtags), "milestone": .null, "assignees": .emptyArray,
      "author": .members([
        "id": .integer(user.mark % 900_000), "name": .string(user.name),
        "username": .string(user.handle), "state": "active", "avatar_url": .null,
        "web_url": .string("https://gitlab.com/\(user.handle)"),
      ]), "user_notes_count": .integer(post.replies), "upvotes": .integer(post.likes),
      "downvotes": .integer(0), "confidential": .bool(false),
      "web_url": .string("https://gitlab.com/group/project/-/issues/\(id)"),
    ])
  }
}
