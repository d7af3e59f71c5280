package import QueuedHTTP
package import SearchModel
package import TextFormats

/// A network that a configuration file declares without any code: its requests, and the location of a
/// post's parts in its responses.
///
/// Responses cannot redirect requests: a cursor only fills its placeholder in the declared address, and
/// the address of a next page must be on the same server.
package struct DeclaredJSON: JSONSource {
  package let name: SourceName
  package let traits: SourceTraits
  private let method: HTTPMethod
  private let address: AddressTemplate
  private let headers: [Header]
  private let body: BodyTemplate?
  /// The path of the list of items; nil if the response is the list.
  private let items: NodePath?
  private let fields: DeclaredFields
  private let paging: DeclaredPaging

  /// A header with placeholders in its value.
  private struct Header: Hashable, Sendable {
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
    if traits.needsCredentials { _ = try requiredCredentials(of: page) }
    let position = DeclaredPosition(page, sizes: paging.sizes)
    let values = PlaceholderValues(
      page: page, position: position, paging: paging, credentialNames: traits.credentialNames)
    var url = address.address(on: page.server, values.text)
    if case .link = paging.way, !position.mark.isEmpty {
      url = SameOrigin.address(of: position.mark, on: page.server)
    }
    guard let url else { throw missingCredentials }
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
    let position = DeclaredPosition(page, sizes: paging.sizes)
    switch paging.way {
    case .page: return position.next(at: String(paging.page(of: position) + 1))
    case .offset: return position.next(at: String(paging.offset(of: position) + position.size))
    case .none, .cursor, .link: return nil
    }
  }

  package func page(from answer: Answer) throws(SourceFault) -> Page {
    let page = answer.page
    guard let list = items == nil ? answer.root : items?.node(in: answer.root), list.kind == .array
    else { throw answer.fault(missing: items.map { "no list at \($0.text)" } ?? "no list") }
    let builder = PageBuilder(list) { fields.post($0, of: name, on: page.server) }
    let position = DeclaredPosition(page, sizes: paging.sizes)
    return builder.page(paging.next(after: position, in: answer, items: builder.items))
  }

  /// All placeholders of its requests.
  private var slots: [Placeholder] { Self.slots(address, headers, body) }

  private static func slots(
    _ address: AddressTemplate, _ headers: [Header], _ body: BodyTemplate?
  ) -> [Placeholder] {
    address.slots + headers.flatMap(\.value.slots) + (body?.slots ?? [])
  }

}

extension DeclaredJSON {
  private static let keys = [
    "kind", "url", "method", "headers", "body", "form", "items", "fields", "html", "dates", "page",
    "anonymous", "newest_first", "requests_per_minute", "terms",
  ]

  /// The default for `terms`.
  private static let terms = "Posts belong to their authors, under the terms of their server"

  /// Headers that only the client may set.
  private static let reserved: Set = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade",
  ]

  /// Reads a declaration.
  ///
  /// - Parameter ignored: Keys that something else reads.
  package init(
    _ name: SourceName, reading entry: JSONEntry, ignoring ignored: Set<String> = []
  ) throws(DocumentError) {
    let known = try entry.object(knowing: Self.keys, ignoring: ignored)
    _ = try known["kind"]?.choice() as Kind?
    guard let url = known["url"] else {
      throw entry.fault(expected: "an address with {query} in it", at: "url")
    }
    let address = try AddressTemplate(url)
    let headers = try known["headers"].map(Self.headers) ?? []
    let body = try Self.body(known)
    let method: Method = try known["method"]?.choice() ?? (body == nil ? .get : .post)
    if body != nil, method == .get {
      throw entry.fault(expected: "POST where there is a body or a form", at: "method")
    }
    let slots = Self.slots(address, headers, body)
    guard slots.contains(where: \.isQuery) else {
      throw url.fault(expected: "{query}, {words} or {tag} in it")
    }
    guard let fields = known["fields"] else {
      throw entry.fault(
        expected: "an object with id, url, text, created_at and so on", at: "fields")
    }
    self.name = name
    self.address = address
    self.headers = headers
    self.body = body
    self.method = method == .get ? .get : .post
    items = try known["items"].map(NodePath.init)
    self.fields = try Self.fields(fields, known)
    paging = try DeclaredPaging(known["page"], of: entry, slots: slots)
    var credentials: [String] = []
    for name in slots.compactMap(\.credentialName) where !credentials.contains(name) {
      credentials.append(name)
    }
    let isAnonymous = try known["anonymous"]?.bool() ?? false
    let pace = try known["requests_per_minute"]?.integer(in: 1...100_000)
    traits = SourceTraits(
      defaultServer: address.origin.text, pageSize: paging.sizes, credentialNames: credentials,
      needsCredentials: !credentials.isEmpty && !isAnonymous,
      pace: pace.map { Pace(requests: $0, per: .seconds(60)) },
      order: try known["newest_first"]?.bool() ?? false ? .exact : .unordered,
      abilities: [.words, .tags],
      filtersByDate: slots.contains(where: \.isSince) && slots.contains(where: \.isUntil),
      attribution: try known["terms"]?.string(expected: "a line") ?? Self.terms)
  }

  private enum Kind: String, CaseIterable { case json }
  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  private static func headers(_ entry: JSONEntry) throws(DocumentError) -> [Header] {
    let expected = #"an object such as {"Authorization": "Bearer {FORUM_TOKEN}"}"#
    return try entry.members(expected: expected).map { name, entry throws(DocumentError) in
      let text = try entry.string(expected: "a string", allowsEmpty: true)
      let isName =
        !name.isEmpty
        && name.utf8.allSatisfy {
          $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
        }
      guard isName, !reserved.contains(name.lowercased()) else {
        throw entry.fault(expected: "the name of a header that is yours to set")
      }
      let value = try Template(text, at: entry) { slot throws(DocumentError) in
        try Placeholder(slot, at: entry)
      }
      guard value.plain.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        throw entry.fault(expected: "plain ASCII")
      }
      guard value.slots.allSatisfy({ $0.credentialName != nil }) else {
        throw entry.fault(expected: "no placeholder but names of credentials")
      }
      if value.slots.isEmpty, SecretNames.isHeader(name) {
        throw entry.fault(SecretNames.advice)
      }
      return Header(name: name, value: value)
    }
  }

  private static func body(
    _ known: [String: JSONEntry]
  ) throws(DocumentError) -> BodyTemplate? {
    // An empty form counts as none.
    let form = known["form"].flatMap { $0.value == .object([]) ? nil : $0 }
    guard let body = known["body"] else { return try form.map(BodyTemplate.init(form:)) }
    guard form == nil else { throw body.fault(expected: "a body or a form, not both") }
    return try BodyTemplate(json: body)
  }

  private static func fields(
    _ entry: JSONEntry, _ declaration: [String: JSONEntry]
  ) throws(DocumentError) -> DeclaredFields {
    let parts = try entry.object(knowing: DeclaredFields.Part.allCases.map(\.rawValue))
    var fields: [DeclaredFields.Part: DeclaredField] = [:]
    for part in DeclaredFields.Part.allCases {
      fields[part] = try parts[part.rawValue].map(DeclaredField.init)
    }
    guard fields[.id] != nil || fields[.url] != nil else {
      throw entry.fault(expected: "an id or a url, which tell posts apart")
    }
    guard fields[.text] != nil || fields[.title] != nil else {
      throw entry.fault(expected: "a text or a title")
    }
    let expected = "a list of text and title"
    let html = try declaration["html"]?.oneOrMore(expected: expected).map {
      name throws(DocumentError) in
      let part = DeclaredFields.Part(rawValue: try name.string(expected: expected))
      guard let part, part == .text || part == .title else {
        throw name.fault(expected: expected)
      }
      return part
    }
    return DeclaredFields(
      fields: fields, html: Set(html ?? []), dates: try declaration["dates"]?.choice() ?? .auto)
  }
}

extension JSONEntry {
  /// The elements of a list that is not empty, or the value itself.
  func oneOrMore(expected: String) throws(DocumentError) -> [JSONEntry] {
    guard case .array(let list) = value, !list.isEmpty else { return [self] }
    return try elements(expected: expected)
  }
}

/// An address with placeholders, such as `https://forum.example/search?q={query}&after={since}`.
///
/// A parameter of its query is omitted if a placeholder in it has no value.
private struct AddressTemplate: Hashable, Sendable {
  private static let expected = "an address such as https://forum.example/search?q={query}"

  /// Scheme, host and port.
  let origin: ServerAddress
  private let path: Template<Placeholder>
  private let parameters: [Template<Placeholder>]

  init(_ entry: JSONEntry) throws(DocumentError) {
    let text = try entry.string(expected: "an address with {query} in it")
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let separator = parts[0].firstRange(of: "://")
    guard let separator, !text.contains("#"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw entry.fault(expected: Self.expected) }
    let tail = parts[0][separator.upperBound...]
    let slash = tail.firstIndex(of: "/") ?? tail.endIndex
    guard !tail[..<slash].contains("{"), let origin = ServerAddress(String(parts[0][..<slash]))
    else { throw entry.fault(expected: Self.expected) }
    self.origin = origin
    path = try Template(tail[slash...], at: entry) { slot throws(DocumentError) in
      try Placeholder(slot, at: entry)
    }
    parameters =
      parts.count == 1
      ? []
      : try parts[1].split(separator: "&").map { parameter throws(DocumentError) in
        try Template(parameter, at: entry) { slot throws(DocumentError) in
          try Placeholder(slot, at: entry)
        }
      }
    for slot in path.slots where slot.isOptional && slot.credentialName == nil {
      throw entry.fault(expected: "{cursor}, {since} and {until} after the ? only")
    }
    for parameter in parameters
    where parameter.slots.isEmpty && SecretNames.isParameter(parameter.plain) {
      throw entry.fault(SecretNames.advice)
    }
  }

  var slots: [Placeholder] { path.slots + parameters.flatMap(\.slots) }

  /// Returns the address on a server; nil if a placeholder of its path has no value.
  func address(on server: ServerAddress, _ value: (Placeholder) -> String?) -> String? {
    func encoded(_ slot: Placeholder) -> String? { value(slot).map(PercentEncoding.encode) }
    guard let path = path.filled(encoded) else { return nil }
    let query = parameters.compactMap { $0.filled(encoded) }.joined(separator: "&")
    return server.text + path + (query.isEmpty ? "" : "?\(query)")
  }
}
