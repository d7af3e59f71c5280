package import QueuedHTTP
package import SearchModel
package import TextFormats

/// A network that answers in JSON, as data: its requests, and the location of a post's parts in its
/// responses. Configuration files, the catalog and networks in Swift make the same value.
///
/// Responses cannot redirect requests: a cursor only fills its placeholder in the address, and the
/// address of a next page must be on the same server.
package struct JSONNetwork: DeclaredSource {
  package var declaration: Declaration
  package let request: NetworkRequest
  let items: Items
  let fields: PostFields
  package let knowsAuthorsByName: Bool
  package var searchesAuthors: Bool { request.query.matchesAuthors }
  package var takesTagsForWords: Bool { request.query.syntax.tag == nil }

  /// Creates a network in Swift, whose pages have the sizes that its traits state.
  ///
  /// - Parameter knowsAuthorsByName: Whether handles are numbers; by default whether there are none.
  init(
    _ name: SourceName, traits: SourceTraits, request: NetworkRequest, items: Items = Items(),
    fields: PostFields, errors: [ErrorRule] = [], knowsAuthorsByName: Bool? = nil
  ) {
    var request = request
    request.paging.sizes = traits.pageSize
    declaration = Declaration(name: name, traits: traits, errors: errors)
    self.request = request
    self.items = items
    self.fields = fields
    self.knowsAuthorsByName = knowsAuthorsByName ?? fields.hasNamesOnly
  }

  /// The items of a response.
  struct Items: Sendable {
    /// The path of their list; nil if the response is the list.
    var path: NodePath?
    /// True if a response has no posts when the list is absent and what contains it is there.
    var isOptional = false
    /// The values that make an item no result of a search.
    var skipped: [NodePath] = []
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    do throws(SourceFault) {
      return try read(response, to: page)
    } catch {
      if let result = errors.filter(\.isAboutText).result(of: response, to: page, nil, from: traits)
      {
        return try result.get()
      }
      throw error
    }
  }

  private func read(
    _ response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    try Answer.read(response, to: page) { answer throws(SourceFault) in
      if let result = errors.result(of: response, to: page, answer.root, from: traits) {
        return try result.get()
      }
      return try answer.checked(self.page(from: answer))
    }
  }

  private func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    let found = items.path.map { $0.node(in: answer.root) } ?? answer.root
    let isLeftOut =
      items.isOptional && found == nil
      && items.path?.parent.node(in: answer.root)?.kind == .object
    guard isLeftOut || found?.kind == .array else {
      throw answer.fault(missing: items.path.map { "no list at \($0.text)" } ?? "no list")
    }
    let server = request.server(of: page)
    let reading = FieldLocation.Reading(
      page: page, server: server, isExcerpt: traits.givesExcerpts)
    let language = fields[.language] == nil ? request.postLanguage(of: page) : nil
    var builder = PageBuilder(of: name, on: page, expecting: found)
    for item in NodeList(found) where !builder.isTooLong {
      if items.skipped.contains(where: { $0.node(in: item)?.isFilled == true }) {
        builder.passOver()
      } else {
        builder.add { fields.read(item, reading, language: language, into: &$0, of: &$1) }
      }
    }
    let next = request.paging.next(
      after: page, in: answer.response, answer.root, items: builder.items, on: server)
    let notes = [request.query.languageNote(of: page), repetitionNote(builder.repeatedItems)]
    let gap =
      errors.gap(in: answer.response, to: page, answer.root)
      ?? request.paging.gap(on: page, answer.root, after: builder.items, next)
      ?? builder.repetitionGap
    return builder.page(next, gap: gap, notes: notes.compactMap(\.self))
  }

  /// A note about items with the identifier of another one, which a wrong path gives to different posts.
  private func repetitionNote(_ count: Int) -> String? {
    if count == 0 { return nil }
    return "\(Plural.count(count, "item")) left out, as another of the page has the same identifier"
  }
}

extension JSONNetwork {
  /// The keys about pages whose paths lead to nothing in a response, each with its path: right for a last page, and a
  /// mistake for any other.
  package func unmetPaths(in response: HTTPResponse) -> [(key: String, path: String)] {
    Answer.value(in: response) { request.paging.unmetPaths(in: $0) } ?? []
  }

  private static let keys =
    ["kind"] + NetworkRequest.keys + ["items", "items_optional", "skip"] + PostFields.keys
    + ["errors"] + Declaration.keys

  /// Reads a declaration.
  ///
  /// - Parameter ignored: Keys that something else reads.
  package init(
    _ name: SourceName, reading entry: JSONEntry, ignoring ignored: Set<String> = []
  ) throws(DocumentError) {
    let known = try entry.object(knowing: Self.keys, ignoring: ignored)
    _ = try known["kind"]?.choice() as Declaration.Kind?
    request = try NetworkRequest(known, of: entry, accept: "application/json")
    fields = try PostFields(known, of: entry)
    items = Items(
      path: try known["items"].map(NodePath.init),
      isOptional: try known["items_optional"]?.bool() ?? false,
      skipped: try known["skip"]?.oneOrMore(expected: NodePath.expected).map {
        entry throws(DocumentError) in try NodePath(entry)
      } ?? [])
    knowsAuthorsByName = fields.hasNamesOnly
    declaration = try Declaration(known, of: request, named: name)
  }
}
