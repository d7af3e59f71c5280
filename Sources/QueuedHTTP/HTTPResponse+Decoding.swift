public import FoundationEssentials

/// Turns the bytes of a body into a value; `JSONDecoder` and `PropertyListDecoder` do.
public protocol BodyDecoder {
  /// Returns the value that the data is the encoded form of.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

extension HTTPBody {
  /// A copy of the bytes as `Data`.
  public var data: Data { unsafe withUnsafeBytes { unsafe Data($0) } }

  /// The bytes without a copy, for a reader that never changes them.
  var shared: Data {
    unsafe withUnsafeBytes { bytes in
      guard count > 0, let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      else { return Data() }
      return unsafe Data(
        bytesNoCopy: start, count: count, deallocator: .custom { _, _ in extendLifetime(self) })
    }
  }
}

extension HTTPResponse {
  /// Decodes the body, as JSON unless another decoder is given.
  ///
  /// Throws `HTTPError.Code.decoding` if it cannot be decoded; `underlyingError` is the decoder's
  /// error, and `response` is this response. The status is not checked.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with decoder: some BodyDecoder = JSONDecoder()
  ) throws(HTTPError) -> Value {
    do { return try decoder.decode(type, from: body.shared) } catch {
      var failure = HTTPError(
        .decoding, reason: "the body cannot be decoded: \(error)", timings: timings)
      failure.underlyingError = error
      failure.response = self
      throw failure
    }
  }
}

extension HTTPClient {
  /// Sends a request and decodes the body of its response, as JSON unless another decoder is given.
  ///
  /// Throws `HTTPError.Code.unacceptable` for a status other than 200 to 299, and
  /// `HTTPError.Code.decoding` for a body that cannot be decoded; either error holds the response.
  public func send<Value: Decodable>(
    _ request: HTTPRequest, decoding type: Value.Type,
    with decoder: some BodyDecoder = JSONDecoder()
  ) async throws(HTTPError) -> Value {
    let response = try await send(request)
    do throws(HTTPError) {
      if let refusal = response.refusal(by: [.status()]) { throw refusal }
      return try response.decode(type, with: decoder)
    } catch {
      var error = error
      error.address = WebAddress.censored(response.url)
      throw error
    }
  }
}
