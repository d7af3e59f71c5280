/// How the responses of one address are told apart: by these fields of the request.
///
/// The fields' values stand nowhere but in keys. The number is part of the keys too; so all
/// responses of an address are out of reach once this is gone.
public struct CacheVariants: Sendable, Hashable {
  /// Drawn anew for each that is made.
  public var number: UInt64
  /// The names that `Vary` listed, in lower case and sorted.
  public var names: [String]

  /// Describes the variants of an address.
  public init(number: UInt64, names: [String]) {
    self.number = number
    self.names = names
  }
}
