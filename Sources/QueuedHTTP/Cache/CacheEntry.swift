/// What a cache keeps under one key.
public enum CacheEntry: Sendable {
  /// How the responses of one address are told apart.
  case variants(CacheVariants)
  /// A response to one of its variants.
  case response(StoredResponse)
}
