public import FoundationEssentials

/// A response as a cache keeps it: without its address and without `Set-Cookie`.
public struct StoredResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The fields, as they were when they were last confirmed.
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: HTTPBody
  /// When it was asked for.
  public var requested: Date
  /// When it had come.
  public var received: Date

  /// Describes a response with its body.
  public init(
    status: Int, headers: HTTPHeaders, body: HTTPBody, requested: Date, received: Date
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.requested = requested
    self.received = received
  }

  /// What the server is asked with whether it has changed; nil where it said nothing to ask with.
  var validators: CacheValidators? { CacheValidators(of: headers) }

  /// The response with the fields of a 304 in place of its own (RFC 9111, section 3.2).
  func freshened(by answer: HTTPHeaders) -> HTTPHeaders {
    // What describes the body that is kept, or the connection, is not the answer's to say.
    let kept: Set<String> = [
      "content-encoding", "content-length", "content-range", "content-type", "connection",
      "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    let news = answer.fields.filter { !kept.contains($0.name.lowercased()) }
    let names = Set(news.map { $0.name.lowercased() })
    // Date and age are those of the answer that brought them.
    let old = headers.fields.filter { field in
      let name = field.name.lowercased()
      return !names.contains(name) && name != "date" && name != "age"
    }
    return HTTPHeaders(old + news)
  }
}
