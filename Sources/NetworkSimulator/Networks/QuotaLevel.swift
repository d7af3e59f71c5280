/// How much of a quota is left.
struct QuotaLevel: Sendable, Hashable {
  let quota: Quota
  let remaining: Int
  /// When it is whole again, in milliseconds since 1970, by the real clock.
  let reset: Int
  /// Whether the request at hand was one too many.
  let isExceeded: Bool
}
