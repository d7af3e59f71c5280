/// A name that requests share so that they can be cancelled together.
public struct RequestGroup: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}
