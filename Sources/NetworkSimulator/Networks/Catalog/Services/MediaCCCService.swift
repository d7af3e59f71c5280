internal import TextFormats

/// media.ccc.de: recordings of talks. Some have no date, but a day of release. Words that differ in a letter are found.
///
/// <https://github.com/voc/voctoweb#public-api>
struct MediaCCCService: CatalogService {
  let name = "media-ccc"
  let routes = [["public", "events", "search"]]
  let parameters: [String: ParameterRule] = [
    "q": .text, "page": .integer(1...Int.max), "per_page": .integer(1...256),
  ]

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    let page = call.numberedPage(
      call.posts(near: call["q"] ?? "").byRelevance, by: ("page", "per_page"), size: 25)
    let items = call.world.items(
      page.shown.map(json), id: "guid", text: ["title", "description"], date: "date")
    let link = LinkHeader.value([
      "last": page.next == nil ? nil : call.address(["page": "\(page.pages)"]),
      "next": page.next.map { call.address(["page": "\($0)"]) },
    ])
    return SimulatedAnswer.json(.members(["events": .array(items)]), type: "application/json")
      .adding("Link", link).adding("Per-Page", "\(page.size)").adding("Total", "\(page.total)")
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let guid = Alphabet.base62.random(22, seed: post.mark)
    return .members([
      "guid": .string(guid), "title": .string(post.title), "subtitle": .null,
      "slug": .string("words-\(guid)"), "link": "https://events.example/talk",
      "description": post.has(131, percent: 90) ? .string(post.plainText) : .null,
      "original_language": .text(post.language.flatMap { Self.languages[$0] }),
      "persons": .texts(post.authors.map(\.shownName)), "tags": .texts(post.hashtags + ["42"]),
      "view_count": .integer(post.likes), "promoted": .bool(false),
      "date": post.has(132, percent: 10)
        ? .null : .string(DateForms.offset(post.milliseconds, hours: 1)),
      "release_date": .string(DateForms.offset(post.dayStart, hours: 1)),
      "updated_at": .string(DateForms.offset(post.milliseconds + 60_000, hours: 1)),
      "length": .integer(1553), "thumb_url": .string("https://static.example/\(guid).jpg"),
      "poster_url": .string("https://static.example/\(guid)_preview.jpg"),
      "frontend_link": .string("https://media.ccc.de/v/words-\(guid)"),
      "url": .string("https://media.ccc.de/public/events/\(guid)"),
      "conference_title": "A congress", "related": .emptyArray,
    ])
  }

  private static let languages = [
    "en": "eng", "de": "deu", "ja": "jpn", "es": "spa", "fr": "fra", "pt": "por",
  ]

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    .json(
      .members(["status": .integer(error.status), "error": .string(error.message)]),
      status: error.status)
  }
}
