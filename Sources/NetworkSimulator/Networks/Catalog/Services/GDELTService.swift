internal import TextFormats

/// GDELT: news articles. Nothing found is `{}`, and errors are plain text with the status 200.
///
/// <https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/>
struct GDELTService: CatalogService {
  let name = "gdelt"
  let routes = [["api", "v2", "doc", "doc"]]
  let parameters: [String: ParameterRule] = [
    "query": .required, "mode": .choice(["artlist", "ArtList"]),
    "format": .choice(["json", "html"]),
    "maxrecords": .integer(1...250), "timespan": .text, "startdatetime": .text,
    "enddatetime": .text, "sort": .choice(["datedesc", "dateasc", "hybridrel"]),
  ]
  let pace: (limit: Int, seconds: Int)? = (1, 5)

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let query = call["query"] ?? ""
    guard call["format"] == "json" else { return .html("<html></html>") }
    guard query.contains(where: { $0 != "\"" && $0 != " " }) else {
      return words("The specified phrase is too short.")
    }
    guard !query.contains(" OR ") || query.contains("(") else {
      return words("Queries containing OR'd terms must be surrounded by ().")
    }
    let start = try moment(call["startdatetime"])
    let end = try moment(call["enddatetime"])
    let moments = Range.moments(from: start, before: end.map { $0 + 1 })
    var found =
      call["sort"] == "datedesc" || call["sort"] == "dateasc"
      ? call.posts(query, within: moments) : call.relevantPosts(query, within: moments)
    if call["sort"] == "dateasc" { found.reverse() }
    let items = call.world.items(
      found.prefix(call.integer("maxrecords", default: 75)).map(json), id: "url",
      text: ["title"], date: "seendate")
    return .json(.members(["articles": items.isEmpty ? nil : .array(items)]))
  }

  private func moment(_ text: String?) throws(CatalogError) -> Int? {
    guard let text else { return nil }
    guard let moment = DateReading.digits(text) else {
      throw CatalogError(200, "Invalid/Unsupported Date Format.")
    }
    return moment
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let address = "https://news\(post.author.ordinal).example/\(post.mark).html"
    // Its titles have blanks before punctuation.
    return .members([
      "url": .string(address), "url_mobile": "",
      "title": .string(post.title.replacing(": ", with: " : ")),
      "seendate": .string(DateForms.compact(post.milliseconds)),
      "socialimage": .string(post.hasImage ? "https://news.example/\(post.mark).png" : ""),
      "domain": .string("news\(post.author.ordinal).example"),
      "language": .string(post.language.flatMap { Self.languages[$0] } ?? "Korean"),
      "sourcecountry": "United States",
    ])
  }

  private static let languages = [
    "en": "English", "de": "German", "ja": "Japanese", "es": "Spanish", "fr": "French",
    "pt": "Portuguese",
  ]

  private func words(_ text: String, status: Int = 200) -> SimulatedAnswer {
    SimulatedAnswer(
      status: status, headers: [("Content-Type", "text/html; charset=utf-8")],
      body: Array((text + "\n").utf8))
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    words(error.message, status: error.status)
  }

  func slowDown(_ wait: Wait) -> SimulatedAnswer {
    words(
      "Please limit requests to one every 5 seconds or contact us for larger "
        + "queries.")
  }
}
