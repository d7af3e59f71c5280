package import QueuedHTTP
package import SearchModel
internal import TextFormats

/// A network that a configuration file declares, without any code: how it is asked, and where in its
/// answers the parts of a post stand.
///
/// What an answer says never leads elsewhere: a cursor only fills its place in the address that was
/// declared, and the address of a next page counts only on the server that was asked.
package struct DeclaredJSON: Source {
  package let name: SourceName
  package let traits: SourceTraits
  let method: HTTPMethod
  let address: AddressTemplate
  let headers: [Header]
  let body: BodyTemplate?
  /// Where the list of items stands; nil where the answer is the list.
  let items: NodePath?
  let fields: DeclaredFields
  let paging: DeclaredPaging

  /// A header with placeholders in its value.
  struct Header: Hashable, Sendable {
    let name: String
    let value: Template<Placeholder>
  }

  package func unsupportedReason(
    for split: QuerySplit, with credentials: Credentials?
  ) -> String? {
    slots.contains(.tag) && split.onlyTag == nil ? QuerySplit.tagsOnly : nil
  }

  package func split(_ query: Query, with credentials: Credentials?) -> QuerySplit {
    guard slots.contains(.tag) else {
      return QuerySplit(query, by: traits.abilities, canBeAuthor: canBeAuthor)
    }
    return QuerySplit(oneTagOf: query, canBeAuthor: canBeAuthor)
  }

  package func request(for page: PageRequest) throws(Failure) -> HTTPRequest {
    if let reason = unsupportedReason(for: page.split, with: page.credentials) {
      throw Failure(.permanent, message: reason)
    }
    if traits.needsCredentials, page.credentials == nil { throw missingCredential }
    let place = DeclaredPlace(page, sizes: paging.sizes)
    let values = PlaceholderValues(
      page: page, place: place, paging: paging, credentialNames: traits.credentialNames)
    var url = address.address(on: page.server, values.text)
    if case .link = paging.way, !place.mark.isEmpty {
      url = SameOrigin.address(of: place.mark, on: page.server)
    }
    guard let url else { throw missingCredential }
    var request = HTTPRequest(method, url: url, headers: ["Accept": "application/json"])
    body?.fill(&request, values.text)
    for header in headers {
      guard let value = header.value.filled(values.text) else { continue }
      request.headers[header.name] = value
      if header.value.slots.contains(where: { $0.credentialName != nil }) {
        request.secretHeaders.insert(header.name)
      }
    }
    return request
  }

  package func secondPage(after page: PageRequest) -> Cursor? {
    let place = DeclaredPlace(page, sizes: paging.sizes)
    switch paging.way {
    case .page: return place.next(at: "")
    case .offset: return place.next(at: String(paging.offset(of: place) + place.size))
    case .none, .cursor, .link: return nil
    }
  }

  package func page(
    from response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> Page {
    guard response.status == 200 else { throw Refusal(response, to: page, from: traits).fault }
    return try Answer.read(response, to: page) { (root) throws(SourceFault) in
      guard let list = items == nil ? root : items?.node(in: root), list.kind == .array else {
        let said = ErrorBody(JSON: root)
        if said.words != nil { throw Answer.error(said, response, to: page) }
        throw Answer.misshapen(items.map { "no list at \($0.text)" } ?? "no list", response)
      }
      var builder = PageBuilder(expecting: list.childCount)
      for item in list.elements { builder.add(fields.post(item, of: name, on: page.server)) }
      let place = DeclaredPlace(page, sizes: paging.sizes)
      switch paging.next(after: place, of: page, response, root, items: builder.items) {
      case .end: return builder.page(next: nil, after: page.cursor)
      case .at(let next): return builder.page(next: next, after: page.cursor)
      case .unreachable(let reason):
        return builder.page(next: nil, after: page.cursor, missing: reason)
      }
    }
  }

  /// All placeholders of its requests.
  private var slots: [Placeholder] { Self.slots(address, headers, body) }

  static func slots(
    _ address: AddressTemplate, _ headers: [Header], _ body: BodyTemplate?
  ) -> [Placeholder] {
    address.slots + headers.flatMap(\.value.slots) + (body?.slots ?? [])
  }

  private var missingCredential: Failure {
    Failure(
      .credential, message: "a credential is needed",
      advice: "set \(traits.credentialNames.joined(separator: " and "))")
  }
}
