/// By what a server can tell whether a response is still the same (RFC 9110, section 8.8).
struct CacheValidators: Sendable, Hashable {
  var entityTag: String?
  var lastModified: String?

  /// Reads them off a response; nil where there is none.
  init?(of headers: HTTPHeaders) {
    entityTag = headers["ETag"].flatMap { $0.isEmpty ? nil : $0 }
    lastModified = headers["Last-Modified"].flatMap { HTTPDate.parse($0) == nil ? nil : $0 }
    guard entityTag != nil || lastModified != nil else { return nil }
  }

  /// The fields that make a request conditional.
  var conditions: HTTPHeaders {
    var headers = HTTPHeaders()
    if let entityTag { headers["If-None-Match"] = entityTag }
    if let lastModified { headers["If-Modified-Since"] = lastModified }
    return headers
  }

  /// Whether a 304 may be about the response that these were read off: it names no other tag.
  func areConfirmed(by answer: HTTPHeaders) -> Bool {
    guard let tag = answer["ETag"], let entityTag else { return true }
    return Self.opaque(tag) == Self.opaque(entityTag)
  }

  /// A tag as the weak comparison sees it.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}
