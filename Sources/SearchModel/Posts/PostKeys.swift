/// The values by which the merge finds duplicates of a post and orders posts of the same moment.
@usableFromInline
struct PostKeys: Hashable, Sendable {
  /// A hash of source and `uri`; seeded, as `Hasher` is.
  @usableFromInline let identityHash: Int
  let idStart: IdentifierStart
}
