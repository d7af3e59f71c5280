/// A key by which limits, pace and cool-down are kept; by default the origin of the address.
///
/// Two services behind one gateway get a lane each, so that the one's 429 does not freeze the
/// other.
public struct Lane: RawRepresentable, Hashable, Sendable {
  /// The text that tells the lane from others.
  public let rawValue: String

  /// Creates a lane by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
}
