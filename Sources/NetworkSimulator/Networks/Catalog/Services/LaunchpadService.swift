internal import TextFormats

/// Launchpad: the bug tasks of a project, in collections that link to the next part.
///
/// <https://launchpad.net/+apidoc/devel.html>
struct LaunchpadService: CatalogService {
  let name = "launchpad"
  let routes = [["devel", "*"]]
  let parameters: [String: ParameterRule] = [
    "ws.op": .choice(["searchTasks"]), "search_text": .text, "order_by": .text, "status": .text,
    "modified_since": .moment, "created_since": .moment, "created_before": .moment,
    "omit_duplicates": .text, "memo": .text, "ws.size": .integer(1...300),
    "ws.start": .integer(0...Int.max),
  ]

  private static let orders = [
    "-datecreated", "datecreated", "date_last_updated", "-date_last_updated",
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["ws.op"] != nil else { throw CatalogError(400, "No operation name given.") }
    let order = call["order_by"]
    guard order.map(Self.orders.contains) ?? true else {
      throw CatalogError(400, "order_by: Unrecognized token.")
    }
    let since = call["modified_since"].flatMap { DateReading.rfc3339($0) } ?? .min
    let moments = Range.moments(
      from: call["created_since"].flatMap { DateReading.rfc3339($0) },
      before: call["created_before"].flatMap { DateReading.rfc3339($0) })
    var found = call.posts(call["search_text"] ?? "", within: moments)
      .filter { $0.changed >= since }
    if order?.hasPrefix("-") == false { found.reverse() }
    if order == nil { found = found.byRelevance }
    let start = call.integer("ws.start", default: 0)
    let page = call.page(found, at: start, size: call.integer("ws.size", default: 75))
    let items = call.world.items(
      page.shown.map { json($0, project: call.segments[0]) }, id: "self_link",
      text: ["title"], date: "date_created")
    return .json(
      .members([
        "start": .integer(start),
        "total_size_link": .string(call.address(["ws.show": "total_size"])),
        "next_collection_link": page.next.map {
          .string(call.address(["memo": "\($0)", "ws.start": "\($0)"]))
        },
        "prev_collection_link": start > 0 ? .string(call.address(["ws.start": "0"])) : nil,
        "entries": .array(items),
      ]), type: "application/json")
  }

  private func json(_ post: CorpusPost, project: String) -> JSONValue {
    let number = post.mark % 9_000_000 + 1
    let link = "https://api.launchpad.net/devel"
    return .members([
      "assignee_link": .null, "bug_link": .string("\(link)/bugs/\(number)"),
      "bug_target_display_name": .string(project), "bug_target_name": .string(project),
      "date_closed": .null, "date_created": .string(date(post.milliseconds)),
      "importance": "High", "is_complete": .bool(false),
      "owner_link": .string("\(link)/~\(post.author.handle)"),
      "resource_type_link": .string("\(link)/#bug_task"),
      "self_link": .string("\(link)/\(project)/+bug/\(number)"), "status": "Triaged",
      "target_link": .string("\(link)/\(project)"),
      "title": .string("Bug #\(number) in \(project): \(post.title)"),
      "web_link": .string("https://bugs.launchpad.net/\(project)/+bug/\(number)"),
    ])
  }

  private func date(_ moment: Int) -> String {
    DateForms.microseconds(moment).dropLast() + "+00:00"
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    SimulatedAnswer(
      status: error.status, headers: [("Content-Type", "text/plain;charset=utf-8")],
      body: Array(error.message.utf8))
  }
}
