internal import FoundationEssentials
package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// Web results of a SearXNG instance. Every instance is a server of its own, and must have JSON enabled,
/// which few public ones do.
///
/// No credentials; the engines behind an instance decide the page size. Results are sorted by
/// relevance, and many have no date. Dates are judged here: with `time_range` an instance leaves out
/// every engine that cannot restrict its results to one. A query supports what all engines do, `"phrases"` and `-word`; one language
/// has a parameter. Results name no authors. https://docs.searxng.org/dev/search_api.html
package struct SearXNG: JSONSource {
  package let name: SourceName = "searxng"
  package let traits = SourceTraits(
    defaultServer: nil, pageSize: 10...100, firstPage: 1, order: .unordered,
    abilities: [.words, .phrases, .excludedWords, .languages], givesExcerpts: true,
    // Engines index a page some time after it was written.
    lateness: SourceTraits.longLateness,
    attribution: "Results belong to the sites that they lead to")

  // At the beginning of a word, `!` and `?` pick an engine, `:` a language and `<` a time; engines have their own `site:`.
  // https://github.com/searxng/searxng/blob/master/searx/query.py
  private static let language = SearchLanguage(
    plainSigns: "+'.&%/_#@$=,;-", plainFirstSigns: "'.&_#@$")

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    var split = QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    guard split.remote.contains(where: { $0.kind == .phrase }) else { return split }
    // Quotation marks protect the first word of a phrase, as they stand before it, and no other.
    split.remote = split.remote.map { term in
      guard term.kind == .phrase else { return term }
      let words = term.value.split(separator: " ").enumerated().map { index, word in
        index == 0 ? word : word.drop { ":!<?".contains($0) }
      }
      let phrase = words.filter { !$0.isEmpty }.joined(separator: " ")
      return QueryTerm(.phrase, phrase, isExcluded: term.isExcluded)
    }
    return split
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    let namesAuthor = split.query.terms.contains { $0.kind == .author && !$0.isExcluded }
    return namesAuthor ? "results on this network name no authors" : nil
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    page.request(
      "/search",
      [
        "q": Self.language.text(of: page.split, without: .language), "format": "json",
        "pageno": String(position(of: page).number),
        "language": page.split.remote(.language).first?.value,
      ])
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
    var builder = PageBuilder(of: name, on: page)
    for item in try answer.list("results", of: "results").elements {
      // Key-value facts have no address.
      if item.kind == .object, item["url"].map({ $0.isNull }) ?? true { continue }
      builder.add { post(item, in: &$0) }
    }
    let position = position(of: page)
    let silent = silentEngines(in: answer.root)
    let failed = silent.map(\.name).filter { !position.silent.contains($0) }
    if builder.items == 0, !failed.isEmpty {
      // There may be nothing, or nothing more, or there was no search.
      throw .failed(
        Failure(
          .temporary, status: answer.response.status,
          message: OneLine.of("nothing found, but some engines failed: \(words(silent))"),
          advice: "try again later"))
    }
    // Engines never run out of results, but these match less and less: a search reads as many pages as it may.
    return builder.page(
      builder.items == 0 ? .end : .at(cursor(after: position, silent)),
      notes: silent.isEmpty
        ? [] : [OneLine.of("engines that did not respond: \(words(silent))")])
  }

  /// The number of a page, and the engines that did not respond to the one before: an empty page means
  /// the end if the others did not fail now. A cursor contains both.
  private func position(of page: PageRequest) -> (number: Int, silent: Set<String>) {
    var numberOnly = page
    let parts = page.cursor?.rawValue.split(separator: " ", maxSplits: 1) ?? []
    numberOnly.cursor = parts.first.map { Cursor(rawValue: String($0)) }
    let names = parts.count > 1 ? parts[1].split(separator: "\n").map(String.init) : []
    return (numbered(numberOnly).number, Set(names))
  }

  private func cursor(
    after position: (number: Int, silent: Set<String>), _ silent: [SilentEngine]
  ) -> Cursor {
    let next = NumberedPage(number: position.number, size: traits.pageSize.upperBound).next
    let names = position.silent.union(silent.map(\.name)).sorted().prefix(Self.mostEngines)
    guard !names.isEmpty else { return next }
    return Cursor(rawValue: "\(next.rawValue) \(names.joined(separator: "\n"))")
  }

  private static let mostEngines = 100

  /// An engine that did not respond.
  private struct SilentEngine {
    /// Its name on one line.
    let name: String
    let words: String
  }

  private func silentEngines(in root: JSONNode) -> [SilentEngine] {
    // Each is a pair of name and reason.
    root.list("unresponsive_engines").compactMap { pair in
      let words = pair.elements.compactMap(\.text)
      guard let name = words.first else { return nil }
      let reason = words.dropFirst().joined(separator: ": ")
      return SilentEngine(
        name: OneLine.of(name), words: reason.isEmpty ? name : "\(name) (\(reason))")
    }
  }

  private func words(_ engines: [SilentEngine]) -> String {
    engines.map(\.words).joined(separator: ", ")
  }

  private func post(_ item: JSONNode, in draft: inout PageDraft) -> PackedPost? {
    guard item.kind == .object, let address = item["url"]?.address else { return nil }
    let title = item["title"]?.text
    let text = item["content"]?.string
    guard title != nil || text != nil else { return nil }
    var media = AttachmentList()
    media.add(
      item["img_src"]?.string ?? item["thumbnail"]?.string, .image,
      thumbnail: item["thumbnail_src"]?.string ?? item["thumbnail"]?.string)
    return PackedPost(
      id: address, url: address, uri: address,
      author: Author(handle: item["author"]?.text ?? ""), title: title, text: text ?? "",
      // Engines return a day, a moment with or without a zone, or nothing.
      createdAt: item["publishedDate"]?.rfc3339(allowing: [.missingZone, .shortForms]),
      links: [address], attachments: media.all, in: &draft)
  }
}
