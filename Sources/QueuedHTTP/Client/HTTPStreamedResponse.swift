/// The head of a response whose body comes as a stream.
public struct HTTPStreamedResponse: Sendable {
  /// The status code, 100 to 599.
  public let status: Int
  /// The fields of the last response on the way, without those of redirects.
  public let headers: HTTPHeaders
  /// The address that answers, after redirects.
  public let url: String
  /// The version of HTTP that the server uses.
  public let version: ProtocolVersion?
  /// The IP address and port that the response comes from: the server's, or the proxy's.
  public let remoteAddress: String?
  /// The pieces of the body as they come; letting go of it cancels the transfer.
  public let body: HTTPBodyStream

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }
}
