/// What a request wants of its client's cache; without effect where the client has none, but for
/// `onlyCached`.
///
/// Only a `GET` without a body, into memory, without `Range` and conditions of its own takes part.
/// Streams, files and all others pass the cache by. A request's own `Cache-Control` counts beside
/// this (RFC 9111, section 5.2.1): `no-store` passes by, `no-cache` asks the server in any case,
/// and `max-age`, `min-fresh`, `max-stale` and `only-if-cached` are obeyed.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
  /// A fresh response is used; a stale one is used when the server says that it is unchanged.
  case useCache
  /// The server, and every cache on the way, is asked for the whole, which is then kept.
  case reload
  /// What is kept is used however old it is, and the server is never asked; where nothing is kept
  /// the request ends with `HTTPError.Code.notCached`.
  case onlyCached
  /// Nothing that is kept is used, and nothing is kept: for exchanges of secrets.
  case ignore
}
