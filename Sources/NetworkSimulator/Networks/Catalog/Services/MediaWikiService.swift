internal import TextFormats

/// Wikipedia, which has CirrusSearch, or a wiki without: that one sorts by relevance only, and looks for words in
/// titles unless it is asked for texts. Errors have the status 200.
///
/// <https://www.mediawiki.org/wiki/API:Search>; `ApiQuerySearch.php` of MediaWiki 1.39
struct MediaWikiService: CatalogService {
  let name: String
  let routes = [["w", "api.php"], ["api.php"]]
  let parameters: [String: ParameterRule] = [
    "action": .text, "list": .text, "format": .text, "srsearch": .text, "srlimit": .text,
    "sroffset": .integer(0...10_000), "srsort": .text, "srprop": .text, "srnamespace": .text,
    "srwhat": .choice(["nearmatch", "text", "title"]), "utf8": .text,
    "formatversion": .choice(["1", "2"]), "maxlag": .integer(0...60),
  ]

  private var hasCirrusSearch: Bool { name == "wikipedia" }

  private var sorts: [String] {
    let further = [
      "last_edit_desc", "last_edit_asc", "create_timestamp_desc", "create_timestamp_asc",
    ]
    return ["relevance"] + (hasCirrusSearch ? further : [])
  }

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["action"] == "query", call["list"] == "search", call["format"] == "json" else {
      throw CatalogError(400, "Unrecognized value for parameter.", code: "badvalue")
    }
    guard let text = call["srsearch"], !text.isEmpty else {
      throw CatalogError(400, "The \"srsearch\" parameter must be set.", code: "missingparam")
    }
    guard let size = Int(call["srlimit"] ?? "10"), (1...500).contains(size) else {
      throw CatalogError(400, "The value must be between 1 and 500.", code: "badinteger")
    }
    let sort = call["srsort"] ?? "relevance"
    guard sorts.contains(sort) else {
      throw CatalogError(
        400, "Unrecognized value for parameter \"srsort\": \(sort).", code: "badvalue")
    }
    let what = call["srwhat"] ?? (hasCirrusSearch ? "text" : "title")
    let all = sort == "last_edit_desc" ? call.posts(text) : call.relevantPosts(text)
    // The pages are named otherwise than what they are about.
    let found = what == "text" ? all : []
    let page = call.page(found, at: call.integer("sroffset", default: 0), size: size)
    let items = call.world.items(
      page.shown.map(json), id: "pageid", text: ["title", "snippet"], date: "timestamp")
    return .json(
      .members([
        "batchcomplete": call["formatversion"] == "2" ? .bool(true) : "",
        "continue": page.next.map {
          .members([
            "sroffset": call.world.paging == .deadCursor ? .object([]) : .integer($0),
            "continue": "-||",
          ])
        },
        "query": .members([
          "searchinfo": .members(["totalhits": .integer(page.total)]), "search": .array(items),
        ]),
      ]))
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    .members([
      "ns": .integer(0), "title": .string(post.title),
      "pageid": .integer(post.mark % 90_000_000 + 1),
      "size": .integer(post.likes * 80), "wordcount": .integer(post.likes * 6),
      "snippet": .string(
        "<span class=\"searchmatch\">Words</span>: " + Markup.escaped(post.plainText)),
      "timestamp": .string(DateForms.seconds(post.milliseconds)),
    ])
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    guard error.status == 400, let code = error.code else {
      return .html(
        "<!DOCTYPE html>\n<html><head><title>Wikimedia Error</title></head><body>"
          + "<p>\(Markup.escaped(error.message))</p></body></html>", status: error.status)
    }
    return apiError(code, error.message)
  }

  private func apiError(_ code: String, _ info: String) -> SimulatedAnswer {
    .json(
      .members([
        "error": .members([
          "code": .string(code), "info": .string(info),
          "*": "See https://en.wikipedia.org/w/api.php for API usage.",
        ]), "servedby": "mw-api-ext",
      ])
    ).adding("MediaWiki-API-Error", code)
  }

  func slowDown(_ wait: Wait) -> SimulatedAnswer {
    apiError(
      "ratelimited", "You've exceeded your rate limit. Please wait some time and try again.")
  }
}
