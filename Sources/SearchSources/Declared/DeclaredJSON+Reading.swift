internal import QueuedHTTP
package import SearchModel
package import TextFormats

extension DeclaredJSON {
  private static let keys = [
    "kind", "url", "method", "headers", "body", "form", "items", "fields", "html", "dates", "page",
    "anonymous", "newest_first", "requests_per_minute", "terms",
  ]

  /// Whose the posts are, where the declaration does not say.
  private static let terms = "Posts belong to their authors, under the terms of their server"

  /// Headers that are the client's own to write.
  private static let reserved: Set = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade",
  ]

  /// Reads a declaration.
  ///
  /// - Parameter ignored: Keys that another reads.
  package init(
    _ name: SourceName, reading value: JSONValue, ignoring ignored: Set<String> = []
  ) throws(DeclarationFault) {
    let value = value.without(ignored)
    let reader = try DeclarationReader(value, at: "", known: Self.keys)
    _ = try reader.choice("kind") as Kind?
    guard let url = try reader.text("url", expected: "an address with {query} in it") else {
      throw DeclarationFault("url", expected: "an address with {query} in it")
    }
    let address = try AddressTemplate(url, at: "url")
    let headers = try Self.headers(reader)
    let body = try Self.body(reader)
    let method: Method = try reader.choice("method") ?? (body == nil ? .get : .post)
    if body != nil, method == .get {
      throw DeclarationFault("method", expected: "POST where there is a body or a form")
    }
    let slots = Self.slots(address, headers, body)
    guard slots.contains(where: \.isQuery) else {
      throw DeclarationFault("url", expected: "{query}, {words} or {tag} in it")
    }
    self.name = name
    self.address = address
    self.headers = headers
    self.body = body
    self.method = method == .get ? .get : .post
    items = try reader.path("items")
    fields = try Self.fields(reader)
    paging = try DeclaredPaging(reader.value("page"), slots: slots)
    var credentials: [String] = []
    for name in slots.compactMap(\.credentialName) where !credentials.contains(name) {
      credentials.append(name)
    }
    let isAnonymous = try reader.flag("anonymous")
    let pace = try reader.number("requests_per_minute", in: 1...100_000)
    traits = SourceTraits(
      defaultServer: address.origin.text, pageSize: paging.sizes, credentialNames: credentials,
      needsCredentials: !credentials.isEmpty && !isAnonymous,
      pace: pace.map { Pace(requests: $0, per: .seconds(60)) },
      order: try reader.flag("newest_first") ? .exact : .unordered,
      abilities: [.words, .tags],
      filtersByDate: slots.contains(where: \.isSince) && slots.contains(where: \.isUntil),
      attribution: try reader.text("terms", expected: "a line") ?? Self.terms)
  }

  private enum Kind: String, CaseIterable { case json }
  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }

  private static func headers(_ reader: DeclarationReader) throws(DeclarationFault) -> [Header] {
    let expected = #"an object such as {"Authorization": "Bearer {FORUM_TOKEN}"}"#
    return try reader.members("headers", expected: expected).map {
      name, text throws(DeclarationFault) in
      let place = "headers.\(name)"
      let isName = name.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
      }
      guard isName, !reserved.contains(name.lowercased()) else {
        throw DeclarationFault(place, expected: "the name of a header that is yours to set")
      }
      let value = try Template(text, at: place) { slot throws(DeclarationFault) in
        try Placeholder(slot, at: place)
      }
      guard value.plain.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        throw DeclarationFault(place, expected: "plain ASCII")
      }
      guard value.slots.allSatisfy({ $0.credentialName != nil }) else {
        throw DeclarationFault(place, expected: "no placeholder but names of credentials")
      }
      if value.slots.isEmpty, SecretNames.isHeader(name) {
        throw DeclarationFault(place, SecretNames.refusal)
      }
      return Header(name: name, value: value)
    }
  }

  private static func body(_ reader: DeclarationReader) throws(DeclarationFault) -> BodyTemplate? {
    let form = try reader.members("form", expected: #"an object such as {"q": "{query}"}"#)
    guard let body = reader.value("body") else {
      return form.isEmpty ? nil : try BodyTemplate(form: form, at: "form")
    }
    guard form.isEmpty else {
      throw DeclarationFault("body", expected: "a body or a form, not both")
    }
    return try BodyTemplate(json: body, at: "body")
  }

  private static func fields(
    _ reader: DeclarationReader
  ) throws(DeclarationFault) -> DeclaredFields {
    let names = DeclaredFields.Part.allCases.map(\.rawValue)
    guard let value = reader.value("fields") else {
      throw DeclarationFault(
        "fields", expected: "an object with id, url, text, created_at and so on")
    }
    let parts = try DeclarationReader(value, at: "fields", known: names)
    var fields: [DeclaredFields.Part: DeclaredField] = [:]
    for part in DeclaredFields.Part.allCases {
      let texts = try parts.texts(part.rawValue, expected: DeclaredField.expected)
      if !texts.isEmpty { fields[part] = try DeclaredField(texts, at: "fields.\(part.rawValue)") }
    }
    guard fields[.id] != nil || fields[.url] != nil else {
      throw DeclarationFault("fields", expected: "an id or a url, which tell posts apart")
    }
    guard fields[.text] != nil || fields[.title] != nil else {
      throw DeclarationFault("fields", expected: "a text or a title")
    }
    let html = try reader.texts("html", expected: "a list of text and title").map {
      name throws(DeclarationFault) in
      guard let part = DeclaredFields.Part(rawValue: name), part == .text || part == .title else {
        throw DeclarationFault("html", expected: "a list of text and title")
      }
      return part
    }
    return DeclaredFields(
      fields: fields, html: Set(html), dates: try reader.choice("dates") ?? .auto)
  }
}

extension JSONValue {
  /// An object without some keys; anything else as it is.
  fileprivate func without(_ keys: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !keys.contains($0.key) })
  }
}
