internal import TextFormats

/// Bugzilla: bugs, by their numbers unless an order is sent. Only fields that are asked for come back.
///
/// <https://bmo.readthedocs.io/en/latest/api/core/v1/bug.html#search-bugs>
struct BugzillaService: CatalogService {
  let name = "bugzilla"
  let routes = [["rest", "bug"]]
  let parameters: [String: ParameterRule] = [
    "quicksearch": .text, "include_fields": .text, "order": .text, "limit": .integer(0...10_000),
    "offset": .integer(0...Int.max), "creation_time": .text, "last_change_time": .text,
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["offset"] == nil || call["limit"] != nil else {
      throw CatalogError(
        400, "You must use the limit argument with the offset argument.", code: "50")
    }
    let created = try moment(call["creation_time"])
    let changed = try moment(call["last_change_time"])
    // Bugs that are closed are found after `ALL` only.
    let text = call["quicksearch"] ?? ""
    let isAll = text.hasPrefix("ALL ")
    var found = call.posts(isAll ? String(text.dropFirst(4)) : text).filter { post in
      post.milliseconds >= created && post.changed >= changed
        && (isAll || !post.has(131, percent: 40))
    }
    switch call["order"] {
    case "bug_id DESC", "bug_id desc", "opendate DESC": break
    case nil, "bug_id", "bug_id ASC": found.reverse()
    case let order?: throw CatalogError(400, "'\(order)' is not a valid order.", code: "108")
    }
    let page = call.page(
      found, at: call.integer("offset", default: 0), size: call.integer("limit", default: 10_000),
      namesNext: false)
    let fields = call["include_fields"].map { Set($0.split(separator: ",").map(String.init)) }
    let items = call.world.items(
      page.shown.map { json($0, fields) }, id: "id", text: ["summary"], date: "creation_time")
    return .json(.members(["bugs": .array(items)]))
  }

  private func moment(_ text: String?) throws(CatalogError) -> Int {
    guard let text else { return .min }
    guard let moment = DateReading.rfc3339(text) ?? DateReading.day(text) else {
      throw CatalogError(400, "'\(text)' is not a legal date.", code: "56")
    }
    return moment
  }

  private func json(_ post: CorpusPost, _ fields: Set<String>?) -> JSONValue {
    let address = "\(post.author.handle)@mail.example"
    let person = JSONValue.members([
      "id": .integer(post.author.mark % 900_000), "email": .string(address),
      "name": .string(address), "nick": .string(post.author.handle),
      "real_name": .string(post.author.name),
    ])
    // Numbers follow the dates.
    let bug: KeyValuePairs<String, JSONValue?> = [
      "id": .integer(
        (post.seconds - 1_700_000_000) * 1_000_000 + Int(post.mark % 1_000_000)),
      "summary": .string(post.title),
      "creator": .string(address), "creator_detail": person,
      "creation_time": .string(DateForms.seconds(post.milliseconds)),
      "last_change_time": .string(DateForms.seconds(post.changed)), "status": "NEW",
      "product": "Firefox", "component": "General",  // The description is the first comment.
      "description": .string(post.plainText), "comment_count": .integer(post.replies + 1),
      "votes": .integer(post.likes), "keywords": .texts(post.hashtags),
      "is_open": .bool(!post.has(131, percent: 40)),
    ]
    return .object(
      bug.compactMap { key, value in
        // The person comes with the address.
        guard fields?.contains(key == "creator_detail" ? "creator" : key) ?? true else {
          return nil
        }
        return value.map { JSONMember(key, $0) }
      })
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members([
        "error": .bool(true),
        "code": .number(error.code.flatMap { Int($0) }.map { "\($0)" } ?? "100"),
        "message": .string(error.message),
        "documentation": "https://bmo.readthedocs.io/en/latest/api/",
      ]), status: error.status)
  }
}
