/// An interceptor that adds a token to each request to one origin, and gets a new one when it is refused.
///
/// However many requests need a new token, `refresh` runs once for all of them; those that start in the
/// meantime wait for it, too. A request that is canceled stops waiting at once, and the refresh is
/// canceled only when nobody waits for it. Its error ends the requests that wait, with
/// `HTTPError.Code.interceptor`; the next request tries again. One request is repeated at most
/// `ClientConfiguration.interceptorRepeats` times; after that the refusal is its response.
///
/// Any number of clients may share an interceptor. Requests that `refresh` sends with them carry no
/// token, unless it adds one, and wait for no slot.
public final class TokenInterceptor<Token: Sendable>: RequestInterceptor {
  private let origin: String
  private let isUsable: @Sendable (Token) -> Bool
  private let isRefused: @Sendable (HTTPResponse) -> Bool
  private let authorize: @Sendable (inout HTTPRequest, Token) -> Void
  private let tokens: SharedRefresh<Token>

  /// Creates an interceptor; throws `HTTPError.Code.badRequest` if the URL is malformed.
  ///
  /// - Parameters:
  ///   - url: Any URL of the origin (scheme, host and port) that may see the token.
  ///   - token: The first token; nil gets one before the first request.
  ///   - isUsable: False for a token that is about to expire, so that a new one is fetched first.
  ///   - isRefused: True for a response that asks for a new token; by default status 401.
  ///   - authorize: Adds a token to a request.
  ///   - refresh: Returns a new token; called with the last one.
  public init(
    for url: String, token: Token? = nil,
    isUsable: @escaping @Sendable (Token) -> Bool = { _ in true },
    isRefused: @escaping @Sendable (HTTPResponse) -> Bool = { $0.status == 401 },
    authorize: @escaping @Sendable (inout HTTPRequest, Token) -> Void,
    refresh: @escaping @Sendable (Token?) async throws -> Token
  ) throws(HTTPError) {
    origin = try WebAddress(url).origin
    self.isUsable = isUsable
    self.isRefused = isRefused
    self.authorize = authorize
    tokens = SharedRefresh(token) { last in
      try await OwnRefresh.$isRunning.withValue(true) { try await refresh(last) }
    }
  }

  /// The number of requests that wait for a new token.
  var waiting: Int { tokens.waiting }

  /// Adds the token, after waiting for a new one if necessary.
  public func adapt(
    _ request: HTTPRequest, for attempt: InterceptedAttempt
  ) async throws -> HTTPRequest {
    guard isMeant(request.url), !OwnRefresh.isRunning else { return request }
    let issue = try await tokens.value { isUsable($0.value) }
    var request = request
    authorize(&request, issue.value)
    request.tokenNumber = issue.number
    return request
  }

  /// Gets a new token if the response refuses the one that was sent, and repeats the request with it.
  public func shouldRepeat(
    _ request: HTTPRequest, after result: Result<HTTPResponse, HTTPError>,
    of attempt: InterceptedAttempt
  ) async throws -> Bool {
    // A redirect to another origin has left the token behind, so its refusal says nothing about it.
    guard let refused = request.tokenNumber, case .success(let response) = result,
      isMeant(response.url), isRefused(response)
    else { return false }
    _ = try await tokens.value { $0.number > refused }
    return true
  }

  private func isMeant(_ url: String) -> Bool {
    do throws(HTTPError) { return try WebAddress(url).origin == origin } catch { return false }
  }
}

extension TokenInterceptor where Token == String {
  /// Creates an interceptor for bearer tokens (RFC 6750); throws `HTTPError.Code.badRequest` if the URL
  /// is malformed.
  ///
  /// - Parameters:
  ///   - url: Any URL of the origin (scheme, host and port) that may see the token.
  ///   - token: The first token; nil gets one before the first request.
  ///   - refresh: Returns a new token; called with the last one.
  public convenience init(
    for url: String, token: String? = nil,
    refresh: @escaping @Sendable (String?) async throws -> String
  ) throws(HTTPError) {
    try self.init(
      for: url, token: token, authorize: { request, token in request.setBearerToken(token) },
      refresh: refresh)
  }
}

/// Marks the task of a refresh, whose own requests cannot wait for its result.
private enum OwnRefresh {
  @TaskLocal static var isRunning = false
}
