internal import FoundationEssentials
internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// The requests of a network: from a page of a search to a method, an address, headers and a body.
package struct NetworkRequest: Sendable {
  /// A header with placeholders in its value.
  struct Header: Sendable {
    let name: String
    let value: RequestTemplate
    /// True if a credential is a part of it.
    let isSecret: Bool

    init(name: String, value: RequestTemplate) {
      (self.name, self.value) = (name, value)
      isSecret = value.slots.contains { $0.credentialName != nil }
    }
  }

  var method = HTTPMethod.get
  var address: AddressTemplate
  var headers: [Header] = []
  var body: BodyTemplate?
  var query: QueryRules
  var paging: NetworkPaging

  /// All placeholders.
  var slots: [Placeholder] {
    address.slots + headers.flatMap(\.value.slots) + (body?.slots ?? [])
  }

  /// The credentials that it names, each once.
  var credentialNames: [String] {
    var names: [String] = []
    for name in slots.compactMap(\.credentialName) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  func unsupportedReason(for split: QuerySplit) -> String? {
    query.takesTagOnly && split.onlyTag == nil ? QuerySplit.tagsOnly : nil
  }

  /// The server that a page is requested from.
  func server(of page: PageRequest) -> ServerAddress {
    address.server(for: page.server, language: query.language(of: page))
  }

  /// The language of all posts of a page, where it was asked for and the server is not one of users.
  func postLanguage(of page: PageRequest) -> String? {
    guard slots.contains(where: { $0.kind == .language }) else { return nil }
    if case .byLanguage(let usual, _, _) = address.origin, page.server != usual { return nil }
    return query.askedLanguage(of: page)
  }

  /// Returns the request for a page; nil if a credential that it needs is missing.
  ///
  /// - Parameter names: The variables of the credentials, in the order of their values.
  func request(for page: PageRequest, credentialNames names: [String]) -> HTTPRequest? {
    func value(_ slot: Placeholder) -> String? { text(of: slot, page, names) }
    let server = server(of: page)
    guard
      let url = paging.link(of: page, on: server) ?? address.address(on: server, value)
    else { return nil }
    var request = HTTPRequest(method, url: url)
    body?.fill(&request, value)
    for header in headers {
      guard let text = header.value.filled(value) else { continue }
      request.headers[header.name] = text
      if header.isSecret { request.secretHeaders.insert(header.name) }
    }
    return request
  }

  /// Returns the value of a placeholder; nil if it has none.
  private func text(
    of placeholder: Placeholder, _ page: PageRequest, _ names: [String]
  ) -> String? {
    switch placeholder.kind {
    // As it was typed: the declaration does not describe the network's own language.
    case .query:
      page.query.isRaw
        ? page.query.text : page.split.remote.map(\.description).joined(separator: " ")
    case .words: SearchLanguage.wordsOnly.text(of: page.split, without: .author, .language)
    case .terms:
      query.writesAuthors
        ? query.syntax.text(of: page.split, without: .language)
        : query.syntax.text(of: page.split, without: .author, .language)
    case .tag: placeholder.isModified ? page.split.onlyTag?.lowercased() : page.split.onlyTag
    case .author: page.split.remote(.author).first?.value
    case .language: query.language(of: page)
    case .page, .offset:
      placeholder.isModified && page.cursor == nil
        ? nil : paging.position(of: page).map { String($0.number) }
    case .limit: String(paging.size(of: page))
    case .cursor: page.cursor?.rawValue ?? paging.start
    case .since(let spelling): page.since(spelling)
    case .until(let spelling): page.until(spelling)
    case .credential(let name): credential(name, of: page, names)
    case .computed: placeholder.value?(page)
    }
  }

  private func credential(_ name: String, of page: PageRequest, _ names: [String]) -> String? {
    guard let index = names.firstIndex(of: name), let values = page.credentials?.values,
      values.indices.contains(index)
    else { return nil }
    return values[index]
  }
}

extension NetworkRequest {
  static let keys = ["url", "method", "headers", "body", "form", "page"] + QueryRules.keys

  /// Headers that only the client may set.
  private static let reserved: Set = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade",
  ]

  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  /// Reads the keys of a declaration that are about requests.
  ///
  /// - Parameter accept: The formats that are asked for, unless the declaration says more.
  init(
    _ known: [String: JSONEntry], of declaration: JSONEntry, accept: String
  ) throws(DocumentError) {
    guard let url = known["url"] else {
      throw declaration.fault(expected: "an address with {query} in it", at: "url")
    }
    let usualLanguage = try known["language"]?.string(expected: "a language code")
    address = try AddressTemplate(url, usualLanguage: usualLanguage)
    headers = try known["headers"].map(Self.headers) ?? []
    if !headers.contains(where: { $0.name.lowercased() == "accept" }) {
      headers.insert(Header(name: "Accept", value: RequestTemplate(pieces: [.text(accept)])), at: 0)
    }
    body = try Self.body(known)
    let method: Method = try known["method"]?.choice() ?? (body == nil ? .get : .post)
    if body != nil, method == .get {
      throw declaration.fault(expected: "POST where there is a body or a form", at: "method")
    }
    self.method = method == .get ? .get : .post
    let slots = address.slots + headers.flatMap(\.value.slots) + (body?.slots ?? [])
    guard slots.contains(where: \.isQuery) else {
      throw url.fault(expected: "{query}, {words}, {terms} or {tag} in it")
    }
    query = try QueryRules(known, slots: slots)
    paging = try NetworkPaging(known["page"], of: declaration, slots: slots)
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
      guard isName else { throw entry.fault(expected: "the name of a header") }
      guard !reserved.contains(name.lowercased()) else {
        throw entry.fault("searchagg sets this header itself")
      }
      let value = try RequestTemplate(text, at: entry)
      guard value.plain.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        throw entry.fault(expected: "plain ASCII")
      }
      guard value.slots.allSatisfy({ $0.credentialName != nil }) else {
        throw entry.fault(expected: "no placeholder except names of credentials")
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
}

extension JSONEntry {
  /// The elements of a list that is not empty, or the value itself.
  func oneOrMore(expected: String) throws(DocumentError) -> [JSONEntry] {
    guard case .array(let list) = value, !list.isEmpty else { return [self] }
    return try elements(expected: expected)
  }
}
