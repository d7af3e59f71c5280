public import FoundationEssentials

/// Turns a value into the bytes of a body; `JSONEncoder` and `PropertyListEncoder` do.
public protocol BodyEncoder {
  /// Returns the encoded form of a value.
  func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: BodyEncoder {}
extension PropertyListEncoder: BodyEncoder {}

extension HTTPRequest {
  /// Encodes a value as the body, as JSON unless another encoder is given.
  ///
  /// A `Content-Type` that the request already has is kept. Throws `HTTPError.Code.requestBody` if
  /// the value cannot be encoded; `underlyingError` is the encoder's error.
  ///
  /// - Parameters:
  ///   - value: The value to send.
  ///   - encoder: The encoder to use.
  ///   - contentType: The `Content-Type` to set.
  public mutating func setBody(
    encoding value: some Encodable, with encoder: some BodyEncoder = JSONEncoder(),
    contentType: String = "application/json"
  ) throws(HTTPError) {
    let data: Data
    do { data = try encoder.encode(value) } catch {
      var failure = HTTPError(.requestBody, reason: "the body cannot be encoded: \(error)")
      failure.underlyingError = error
      throw failure
    }
    setBody(data, contentType: contentType)
  }

  /// Makes the bytes given the body.
  ///
  /// A `Content-Type` that the request already has is kept.
  public mutating func setBody(
    _ bytes: some Collection<UInt8>, contentType: String = "application/octet-stream"
  ) {
    upload = nil
    body = Array(bytes)
    if headers["Content-Type"] == nil { headers["Content-Type"] = contentType }
  }

  /// Sets `Authorization` to a user name and password (the Basic scheme, RFC 7617).
  public mutating func setBasicAuthorization(user: String, password: String) {
    let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
    headers["Authorization"] = "Basic \(credentials)"
  }

  /// Sets `Authorization` to a bearer token (RFC 6750).
  public mutating func setBearerToken(_ token: String) {
    headers["Authorization"] = "Bearer \(token)"
  }
}
