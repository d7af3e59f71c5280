public import HTTPTypes

// Not all of HTTPTypes: its requests and responses have the names of ours.
@_exported public import struct HTTPTypes.HTTPField
@_exported public import struct HTTPTypes.HTTPFields

extension HTTPHeaders {
  /// The first value of a field, such as `headers[.contentType]`; setting it replaces every field of
  /// that name.
  public subscript(_ name: HTTPField.Name) -> String? {
    get { self[name.rawName] }
    set { self[name.rawName] = newValue }
  }

  /// Every value of a field, in order.
  public func values(of name: HTTPField.Name) -> [String] { values(of: name.rawName) }

  /// Adds a field after those that are there.
  public mutating func append(_ name: HTTPField.Name, _ value: String) {
    append(name.rawName, value)
  }

  /// Creates headers of fields of swift-http-types, in their order.
  public init(_ fields: HTTPFields) {
    self.init(fields.map { Field(name: $0.name.rawName, value: $0.value) })
  }

  /// The fields as those of swift-http-types, in their order; a name that is not a token of RFC 9110 is
  /// left out.
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
  /// Creates a method of one of swift-http-types.
  public init(_ method: HTTPTypes.HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPRequest {
  /// Creates a request of one of swift-http-types; nil for one without scheme or authority.
  ///
  /// - Parameters:
  ///   - request: The method, the address and the fields.
  ///   - body: The bytes to send, or nil for none.
  public init?(_ request: HTTPTypes.HTTPRequest, body: [UInt8]? = nil) {
    guard let scheme = request.scheme, let authority = request.authority else { return nil }
    self.init(
      HTTPMethod(request.method), url: "\(scheme)://\(authority)\(request.path ?? "/")",
      headers: HTTPHeaders(request.headerFields), body: body)
  }
}

extension HTTPResponse {
  /// The status and the fields as those of swift-http-types.
  public var head: HTTPTypes.HTTPResponse {
    HTTPTypes.HTTPResponse(
      status: HTTPTypes.HTTPResponse.Status(code: status), headerFields: headers.httpFields)
  }
}
