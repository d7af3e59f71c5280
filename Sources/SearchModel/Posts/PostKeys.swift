/// What a post is found and sorted by; the merge reads these of every post.
@usableFromInline
struct PostKeys: Hashable, Sendable {
  /// A hash of source and `uri`; seeded, as `Hasher` is.
  @usableFromInline let identityHash: Int
  let idStart: IdentifierStart
}
