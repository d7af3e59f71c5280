/// A key by which limits, pace and cool-down are kept; by default the origin of the address.
///
/// Two services behind one gateway get a lane each, so that the one's 429 does not freeze the
/// other.
public struct Lane: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}
