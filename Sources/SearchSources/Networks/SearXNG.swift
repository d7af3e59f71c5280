internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// What a SearXNG instance finds on the web. Every instance is a server of its own, and has to have its
/// JSON turned on, as few public ones have.
///
/// No credentials; pages of a size that the engines behind it decide, the most fitting first, so that
/// no date proves anything; many results have no date. `time_range` narrows to a day, month or year,
/// where engines understand it. A query knows what all engines do: `"phrases"` and `-word`; one language
/// has a parameter. Results name no authors. https://docs.searxng.org/dev/search_api.html
package struct SearXNG: Source {
  package let name: SourceName = "searxng"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 10...100, order: .unordered,
    abilities: [.words, .phrases, .excludedWords, .languages], givesExcerpts: true,
    attribution: "Results belong to the sites that they lead to")

  /// Engines go on for ever, with less and less that fits.
  private static let lastPage = 10

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
    let number = NumberedPage(page, sizes: traits.pageSize).number
    let language = page.split.remote(.language).first
    let words = Self.language.text(of: page.split, without: .language)
    var parameters = [("q", words), ("format", "json"), ("pageno", String(number))]
    if let language { parameters.append(("language", language.value)) }
    if let range = range(of: page) { parameters.append(("time_range", range)) }
    return HTTPRequest(url: "\(page.server.text)/search?\(PercentEncoding.query(parameters))")
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else {
      var refusal = Refusal(response, to: page, from: traits)
      if response.status == 403 {
        refusal.advice = "ask an instance whose settings allow the format json"
      }
      throw refusal.fault
    }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let results = root["results"], results.kind == .array else {
        if root["error"] != nil { throw Answer.error(ErrorBody(JSON: root), response, to: page) }
        throw Answer.misshapen("no list of results", response)
      }
      var builder = PageBuilder()
      for item in results.elements {
        // Facts of the key-value kind lead nowhere.
        if item.kind == .object, item["url"].map({ $0.isNull }) ?? true { continue }
        builder.add(post(item, for: page))
      }
      let place = NumberedPage(page, sizes: traits.pageSize)
      let silent = silentEngines(in: root)
      if builder.items == 0, place.number == 1, let silent {
        // Nobody can tell "nothing found" from "nobody looked".
        throw .failed(
          Failure(
            .temporary, status: response.status,
            message: OneLine.of("nothing was found, and some engines failed: \(silent)"),
            advice: "try again later"))
      }
      let goesOn = builder.items > 0 && place.number < Self.lastPage
      return builder.page(
        next: goesOn ? place.next : nil, after: page.cursor,
        notes: silent.map { [OneLine.of("engines that did not answer: \($0)")] } ?? [])
    }
  }

  /// The shortest of its spans that reaches back far enough; nil for all.
  private func range(of page: PageRequest) -> String? {
    guard let since = page.since else { return nil }
    let age = page.now.timeIntervalSince(since)
    let spans = [(86_400.0, "day"), (2_592_000, "month"), (31_536_000, "year")]
    return spans.first { age <= $0.0 }?.1
  }

  /// The engines that did not answer, each with its reason; nil when all did.
  private func silentEngines(in root: JSONNode) -> String? {
    // Each is a pair of name and reason.
    let engines = root.list("unresponsive_engines").compactMap { pair in
      let words = pair.elements.compactMap(\.text)
      return words.isEmpty ? nil : words.joined(separator: ": ")
    }
    return engines.isEmpty ? nil : engines.joined(separator: ", ")
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    NumberedPage(page, sizes: traits.pageSize).next
  }

  private func post(_ item: JSONNode, for page: PageRequest) -> Post? {
    guard item.kind == .object, let address = item["url"]?.string, WebAddress.isOne(address) else {
      return nil
    }
    let title = item["title"]?.text
    let text = item["content"]?.string
    guard title != nil || text != nil else { return nil }
    var media = AddressList()
    media.add(item["img_src"]?.string ?? item["thumbnail"]?.string)
    return Post(
      id: address, source: name, server: page.server, url: address, uri: address,
      author: Author(handle: item["author"]?.text ?? ""), title: title, text: text ?? "",
      // Engines say a day, a moment with or without a zone, or nothing.
      createdAt: item["publishedDate"]?.rfc3339(allowing: [.missingZone, .shortForms]),
      links: [address], media: media.all)
  }
}
