public import HTTPTypes

// Not all of HTTPTypes, because its requests and responses have the same names as ours.
@_exported public import struct HTTPTypes.HTTPField
@_exported public import struct HTTPTypes.HTTPFields

extension HTTPHeaders {
  /// The first value of a field, such as `headers[.contentType]`; setting it replaces all fields with
  /// that name.
  public subscript(_ name: HTTPField.Name) -> String? {
    get { self[name.rawName] }
    set { self[name.rawName] = newValue }
  }

  /// All values of a field, in order.
  public func values(of name: HTTPField.Name) -> [String] { values(of: name.rawName) }

  /// Adds a field after the others.
  public mutating func append(_ name: HTTPField.Name, _ value: String) {
    append(name.rawName, value)
  }

  /// Creates headers from swift-http-types fields, in their order.
  public init(_ fields: HTTPFields) {
    self.init(fields.map { Field(name: $0.name.rawName, value: $0.value) })
  }

  /// The fields as swift-http-types fields, in order, without names that are not tokens of RFC 9110.
  public var httpFields: HTTPFields {
    var typed = HTTPFields()
    for field in fields {
      guard let name = HTTPField.Name(field.name) else { continue }
      typed.append(HTTPField(name: name, value: field.value))
    }
    return typed
  }
}

extension HTTPMethod {
  /// Creates a method from a swift-http-types method.
  public init(_ method: HTTPTypes.HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPRequest {
  /// Creates a request from a swift-http-types request; nil if it has no scheme or authority.
  ///
  /// - Parameters:
  ///   - request: The method, URL and fields.
  ///   - body: The bytes to send, or nil for none.
  public init?(_ request: HTTPTypes.HTTPRequest, body: [UInt8]? = nil) {
    guard let scheme = request.scheme, let authority = request.authority else { return nil }
    self.init(
      HTTPMethod(request.method), url: "\(scheme)://\(authority)\(request.path ?? "/")",
      headers: HTTPHeaders(request.headerFields), body: body)
  }
}

extension HTTPResponse {
  /// The status and fields as a swift-http-types response.
  public var head: HTTPTypes.HTTPResponse {
    HTTPTypes.HTTPResponse(
      status: HTTPTypes.HTTPResponse.Status(code: status), headerFields: headers.httpFields)
  }
}
