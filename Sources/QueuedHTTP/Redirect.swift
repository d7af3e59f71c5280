/// A redirect that a server asks for, before it is followed.
public struct Redirect: Sendable, Hashable {
  /// The status of the response: 301, 302, 303, 307 or 308.
  public let status: Int
  /// The address that answered.
  public let url: String
  /// The address to go to.
  public let target: String
  /// The method that the target would be asked with.
  public let method: HTTPMethod
  /// The number of redirects of this request up to and including this one.
  public let count: Int
}

/// The decision about a redirect.
public enum RedirectDecision: Sendable, Hashable {
  /// Go to the target, with the checks of every redirect: none to a scheme other than http and https,
  /// none from https to http unless the request allows it, no credentials to another origin.
  case follow
  /// Stay: the redirect is the response.
  case stop
  /// End the request with `HTTPError.Code.redirect`.
  case refuse
}
