/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method.
  public let rawValue: String

  /// Creates a method from its name, which is case-sensitive.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Retrieves a resource.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Retrieves the headers of a resource, without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Submits data for the resource to process.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Replaces a resource with the body.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes a part of a resource (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Deletes a resource.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks for the communication options of a resource.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// True if sending it twice has the same effect as sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool { RetryPolicy.idempotentMethods.contains(self) }
}
