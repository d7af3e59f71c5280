/// Where a response came from.
public enum ResponseOrigin: Sendable, Hashable {
  /// The server sent it just now.
  case network
  /// It was kept, and still counts as fresh: the server was not asked.
  case stored
  /// It was kept, and may have changed since: the server was not asked.
  case stale
  /// It was kept, and the server has just said that it is unchanged (304).
  case revalidated
}
