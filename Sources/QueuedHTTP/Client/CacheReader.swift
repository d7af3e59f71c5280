internal import FoundationEssentials

/// The responses that a client with the same configuration has stored, for a run that asks no server: no
/// thread is started, and no socket opened.
package struct CacheReader: Sendable {
  private let interceptor: CacheInterceptor?
  private let configuration: HTTPClient.Configuration

  package init(_ configuration: HTTPClient.Configuration) {
    self.configuration = configuration
    interceptor = CacheInterceptor(configuration)
  }

  /// Returns the stored response to a request, whatever its age, which its field `Age` states.
  ///
  /// Throws `HTTPError.Code.notCached` if there is none.
  package func response(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    var request = request
    let address = try Hop(request).address
    guard let interceptor, request.cachePolicy == .useCache, CacheRules.concerns(request) else {
      throw HTTPError(.notCached, reason: "no cache can answer this request")
    }
    request.cachePolicy = .onlyCached
    guard let response = interceptor.peek(request, at: address, now: configuration.now()) else {
      throw HTTPError(.notCached, reason: "the cache has no usable response")
    }
    return response
  }
}
