internal import QueuedHTTP
internal import SearchModel
internal import TextFormats

/// Opens responses with feeds, by their content and not by their stated type.
enum FeedAnswer {
  /// Returns the feed in a response.
  static func read(
    _ response: HTTPResponse, to page: PageRequest
  ) throws(SourceFault) -> FeedDocument {
    let base = base(of: response, to: page)
    if isJSON(response) { return try json(response, to: page, base: base) }
    let charset = charset(of: response.headers["content-type"])
    let feed = response.body.withUnsafeBytes { bytes in
      FeedXML.read(
        XMLDocument(bytes, charset: charset, calling: FeedVocabulary.term), base: base)
    }
    guard let feed else { throw Answer.unreadable("a feed", response, to: page) }
    return feed
  }

  private static func json(
    _ response: HTTPResponse, to page: PageRequest, base: String?
  ) throws(SourceFault) -> FeedDocument {
    let feed = Answer.value(in: response) { root -> Result<FeedDocument, SourceFault>? in
      if let feed = FeedJSON.read(root, base: base) { return .success(feed) }
      let answer = Answer(root: root, response: response, page: page)
      return .failure(answer.fault(missing: "no list of items"))
    }
    guard let feed else { throw Answer.unreadable("a feed", response, to: page) }
    return try feed.get()
  }

  /// True if the body begins with `{`, after a byte order mark and blanks.
  private static func isJSON(_ response: HTTPResponse) -> Bool {
    response.body.withUnsafeBytes { bytes in
      var bytes = bytes[...]
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      return bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    }
  }

  /// The base address of relative links (RFC 3986, section 5.1).
  private static func base(of response: HTTPResponse, to page: PageRequest) -> String? {
    let address = response.url.isEmpty ? page.server.text : response.url
    guard let location = response.headers["content-location"] else { return address }
    return WebLink.resolved(location, against: address) ?? address
  }

  /// The parameter of a `Content-Type`.
  static func charset(of type: String?) -> String? {
    for parameter in (type ?? "").split(separator: ";").dropFirst() {
      let halves = parameter.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].trimmed.lowercased() == "charset" else { continue }
      let value = halves[1].trimmed.filter { $0 != "\"" && $0 != "'" }
      return value.isEmpty ? nil : value
    }
    return nil
  }
}
