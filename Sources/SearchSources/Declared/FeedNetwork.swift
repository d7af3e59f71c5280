package import QueuedHTTP
package import SearchModel
package import TextFormats

/// A network that answers searches with a feed, as data. See `JSONNetwork` for one that answers in JSON.
package struct FeedNetwork: DeclaredSource {
  package var declaration: Declaration
  package let request: NetworkRequest
  /// The beginnings of the identifier or link of an entry that is an error.
  private let errorEntries: [String]
  private let versions: FeedVersions

  // Feeds have authors' names, but no handles.
  package var knowsAuthorsByName: Bool { true }

  package func interpret(
    _ refusal: inout Refusal, of response: HTTPResponse, to page: PageRequest
  ) {
    guard !errorEntries.isEmpty else { return }
    do throws(SourceFault) {
      if let words = error(in: try FeedAnswer.read(response, to: page)) { refusal.state(words) }
    } catch {
      return  // A proxy's page.
    }
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    if let result = errors.result(of: response, to: page, nil, from: traits) {
      return try result.get()
    }
    let document = try FeedAnswer.read(response, to: page)
    if let words = error(in: document) { throw .stated(words, in: response, to: page) }
    let reading = FeedReading(document, isFiltered: false, isOrdered: true)
    let builder = reading.posts(
      passing: FeedFilter([]), from: name, for: page, versions: versions)
    let next = request.paging.next(
      after: page, in: response, nil, link: document.next, isNamed: document.namesNext,
      total: document.total, items: builder.items, on: request.server(of: page))
    let gap = request.paging.gap(on: page, total: document.total, items: builder.items)
    return builder.page(next, gap: reading.gap ?? gap)
  }

  /// The text of the entry that is an error.
  private func error(in document: FeedDocument) -> String? {
    let entry = document.entries.first { entry in
      [entry.id, entry.link].contains { address in
        errorEntries.contains { address?.hasPrefix($0) == true }
      }
    }
    return entry.map { $0.text.isEmpty ? $0.title ?? "no message" : $0.text }
  }
}

extension FeedNetwork {
  private static let keys =
    ["kind"] + NetworkRequest.keys + ["errors", "error_entry", "versions"] + Declaration.keys

  /// Reads a declaration.
  ///
  /// - Parameter ignored: Keys that something else reads.
  package init(
    _ name: SourceName, reading entry: JSONEntry, ignoring ignored: Set<String> = []
  ) throws(DocumentError) {
    let known = try entry.object(knowing: Self.keys, ignoring: ignored)
    _ = try known["kind"]?.choice() as Declaration.Kind?
    request = try NetworkRequest(known, of: entry, accept: FeedAnswer.accept)
    let expected = "the beginning of an address, or a list of these"
    errorEntries =
      try known["error_entry"]?.oneOrMore(expected: expected).map {
        entry throws(DocumentError) in try entry.string(expected: expected)
      } ?? []
    versions = FeedVersions(
      letters: try known["versions"]?.string(
        expected: "the letters before the number of a version, such as v"))
    declaration = try Declaration(known, of: request, named: name)
  }
}
