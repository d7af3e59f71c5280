internal import TextFormats

/// A SearXNG instance that gives JSON to everybody.
///
/// One of its engines never answers, and for a query that begins with `unresponsive` none does; with
/// `tiring` all fail after the first page. An engine that cannot restrict its results to a range of
/// time, here brave, is skipped when one is asked for. The first page holds a fact without an address
/// beside the results.
///
/// <https://docs.searxng.org/dev/search_api.html>
struct SearXNGNetwork: SimulatedNetwork {
  let name = "searxng"

  private static let size = 20

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    guard request.route == ["search"] || request.route.isEmpty, request.method == "GET" else {
      return refusal(404, to: request)
    }
    let parameters = Parameters(request.query)
    let format = parameters["format"] ?? "html"
    guard format == "json" else {
      return format == "html" ? page : refusal(403, to: request)
    }
    guard let query = parameters["q"], !query.isEmpty else { return refusal(400, to: request) }
    guard let number = Int(parameters["pageno"] ?? "1"), number >= 1 else {
      return refusal(400, to: request)
    }
    var start = Int.min
    if let range = parameters["time_range"], !range.isEmpty {
      guard let days = ["day": 1, "week": 7, "month": 30, "year": 365][range] else {
        return refusal(400, to: request)
      }
      start = world.now - days * 86_400_000
    }
    var found = world.posts(QueryTerms(query), network: name).filter { $0.milliseconds >= start }
    if start > Int.min { found = found.filter { engine(of: $0) != "brave" } }
    if let language = parameters["language"], language != "all", language != "auto" {
      found = found.filter { $0.language == language }
    }
    found = found.byRelevance
    let page = world.cut(
      found, at: (number - 1) * Self.size, size: Self.size, namesNext: false
    ).shown
    let text = query.lowercased()
    let isUnanswered =
      text.hasPrefix("unresponsive") || text.hasPrefix("tiring") && number > 1
    var items = world.items(
      isUnanswered ? [] : page.map(json), id: "url", text: ["title", "content"],
      date: "publishedDate")
    if number == 1, !items.isEmpty { items.append(fact) }
    return .json(
      .members([
        "query": .string(query), "number_of_results": .integer(0), "results": .array(items),
        "answers": .emptyArray, "corrections": .emptyArray, "infoboxes": .emptyArray,
        "suggestions": .emptyArray,
        "unresponsive_engines": .array(
          isUnanswered ? [qwant, brave] : found.isEmpty ? [] : [qwant]),
      ]), type: "application/json")
  }

  private let qwant = JSONValue.texts(["qwant", "Suspended: CAPTCHA"])
  private let brave = JSONValue.texts(["brave", "timeout"])

  /// A result of the key-value kind, which has no address.
  private let fact = JSONValue.members([
    "template": "keyvalue.html", "kvmap": .members(["Designed by": "Chris"]),
    "engine": "wikidata", "engines": .texts(["wikidata"]), "category": "general",
  ])

  private let page = SimulatedAnswer.html("<html><body>SearXNG</body></html>\n")

  private func engine(of post: CorpusPost) -> String {
    post.has(97, percent: 50) ? "brave" : "duckduckgo"
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let address = "https://site\(post.author.ordinal).example/\(post.mark)"
    let moment = DateForms.seconds(post.milliseconds)
    let date: JSONValue =
      post.has(95, percent: 30)
      ? .null : .string(String(post.has(96, percent: 50) ? moment.dropLast() : moment[...]))
    return .members([
      "url": .string(address), "title": .string(post.title),
      "content": .string(post.plainText), "publishedDate": date, "thumbnail": .null,
      "engine": .string(engine(of: post)), "engines": .texts([engine(of: post)]),
      "template": "default.html",
      "parsed_url": .texts(["https", "site.example", "/", "", "", ""]), "positions": .emptyArray,
      "score": .number("1.5"), "category": "general", "img_src": "",
    ])
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    .html(
      "<!doctype html>\n<html lang=en><title>\(status) \(ReasonPhrase.of(status))</title>\n"
        + "<h1>\(ReasonPhrase.of(status))</h1>", status: status)
  }

  // Its limiter names no wait.
  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request)
  }

  func quota(for request: SimulatedRequest) -> Quota? {
    Quota(key: name, limit: 30, seconds: 20)
  }
}
