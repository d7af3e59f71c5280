/// A request method (RFC 9110, section 9).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The name of the method as it is sent.
  public let rawValue: String

  /// Creates a method by its name, which is case-sensitive.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Asks for what is there.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Asks for the fields of what is there, without its body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Hands something over to be worked on.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Puts the body in the place of what is there.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Changes a part of what is there (RFC 5789).
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// Removes what is there.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// Asks what may be done there.
  public static let options = HTTPMethod(rawValue: "OPTIONS")

  /// Whether sending it twice means the same as sending it once (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool {
    switch self {
    case .get, .head, .put, .delete, .options: true
    case _: false
    }
  }
}
