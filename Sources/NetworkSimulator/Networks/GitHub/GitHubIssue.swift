internal import TextFormats

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
      "number": .integer(number), "title": .string(title),
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

  /// The text's first line.
  private var title: String {
    post.plainText.split(separator: "\n").first.map(String.init) ?? "Untitled"
  }

  private var user: JSONValue {
    .members([
      "login": .string(post.author.handle), "id": .integer(post.author.mark % 90_000_000),
      "html_url": .string("https://github.com/\(post.author.handle)"), "type": "User",
      "site_admin": .bool(false),
    ])
  }
}
