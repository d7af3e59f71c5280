internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Web results of a SearXNG instance. Every instance is a server of its own, and must have JSON enabled,
/// which few public ones do.
///
/// No credentials; the engines behind an instance decide the page size. Results are sorted by
/// relevance, and many have no date. `time_range` restricts them to a day, month or year, if the
/// engines support that. A query supports what all engines do, `"phrases"` and `-word`; one language
/// has a parameter. Results name no authors. https://docs.searxng.org/dev/search_api.html
package struct SearXNG: JSONSource {
  package let name: SourceName = "searxng"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 10...100, firstPage: 1, order: .unordered,
    abilities: [.words, .phrases, .excludedWords, .languages], givesExcerpts: true,
    attribution: "Results belong to the sites that they lead to")

  /// Engines never run out of results, but these match less and less.
  private static let lastPage = 10
  private static let ceiling = "only the first 10 pages of results are read"

  // `!` picks an engine, `:` a language, and engines have their own `site:`.
  private static let language = SearchLanguage(
    plainSigns: "+'.&%/_#@$=,;-", plainFirstSigns: "'.&_#@$")

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    let namesAuthor = split.query.terms.contains { $0.kind == .author && !$0.isExcluded }
    return namesAuthor ? "results on this network name no authors" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    let language = page.split.remote(.language).first
    let words = Self.language.text(of: page.split, without: .language)
    var parameters = [("q", words), ("format", "json"), ("pageno", String(numbered(page).number))]
    if let language { parameters.append(("language", language.value)) }
    if let range = range(of: page) { parameters.append(("time_range", range)) }
    return HTTPRequest(url: "\(page.server.text)/search?\(PercentEncoding.query(parameters))")
  }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    if response.status == 403 {
      refusal.advice = "search an instance whose settings allow the json format"
    }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    var builder = PageBuilder()
    for item in try answer.list("results", of: "results").elements {
      // Key-value facts have no address.
      if item.kind == .object, item["url"].map({ $0.isNull }) ?? true { continue }
      builder.add(post(item, for: page))
    }
    let numbered = numbered(page)
    let silent = silentEngines(in: answer.root)
    if builder.items == 0, numbered.number == 1, let silent {
      // There may be nothing, or there was no search.
      throw .failed(
        Failure(
          .temporary, status: answer.response.status,
          message: OneLine.of("nothing found, but some engines failed: \(silent)"),
          advice: "try again later"))
    }
    let next: NextPage =
      if builder.items == 0 { .end } else if numbered.number < Self.lastPage {
        .at(numbered.next)
      } else {
        .beyondLimit(Self.ceiling)
      }
    return builder.page(
      next,
      notes: silent.map { [OneLine.of("engines that did not respond: \($0)")] } ?? [])
  }

  /// The shortest time range that goes back far enough; nil for all.
  private func range(of page: PageRequest) -> String? {
    guard let since = page.since else { return nil }
    let age = page.now.timeIntervalSince(since)
    let spans = [(86_400.0, "day"), (2_592_000, "month"), (31_536_000, "year")]
    return spans.first { age <= $0.0 }?.1
  }

  /// The engines that did not respond, each with its reason; nil if all did.
  private func silentEngines(in root: JSONNode) -> String? {
    // Each is a pair of name and reason.
    let engines = root.list("unresponsive_engines").compactMap { pair in
      let words = pair.elements.compactMap(\.text)
      return words.isEmpty ? nil : words.joined(separator: ": ")
    }
    return engines.isEmpty ? nil : engines.joined(separator: ", ")
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let address = item["url"]?.address else { return nil }
    let title = item["title"]?.text
    let text = item["content"]?.string
    guard title != nil || text != nil else { return nil }
    var media = AddressList()
    media.add(item["img_src"]?.string ?? item["thumbnail"]?.string)
    return Post(
      id: address, source: name, server: page.server, url: address, uri: address,
      author: Author(handle: item["author"]?.text ?? ""), title: title, text: text ?? "",
      // Engines return a day, a moment with or without a zone, or nothing.
      createdAt: item["publishedDate"]?.rfc3339(allowing: [.missingZone, .shortForms]),
      links: [address], media: media.all)
  }
}
