/// A name that requests share so that they can be cancelled together.
public struct RequestGroup: RawRepresentable, Hashable, Sendable {
  /// The text that tells the group from others.
  public let rawValue: String

  /// Creates a group by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}
