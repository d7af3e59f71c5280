package import SearchModel

/// The progress of a run.
package struct RunProgress: Hashable, Sendable {
  package var searches: Int
  package var ended: Int
  package var posts: Int
  /// The servers that have asked the run to wait, the shortest wait first.
  package var waits: [ServerWait]

  package init(searches: Int, ended: Int, posts: Int, waits: [ServerWait] = []) {
    self.searches = searches
    self.ended = ended
    self.posts = posts
    self.waits = waits
  }
}

/// A server that has asked the run to wait.
package struct ServerWait: Hashable, Sendable {
  package var source: SourceName
  package var server: ServerAddress
  package var duration: Duration
}
