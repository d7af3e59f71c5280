package import SearchModel

/// How far a run is.
package struct RunProgress: Hashable, Sendable {
  package var searches: Int
  package var ended: Int
  package var posts: Int
  /// The servers that have asked the run to wait, and for how long from now; the shortest wait first.
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

  package init(source: SourceName, server: ServerAddress, duration: Duration) {
    self.source = source
    self.server = server
    self.duration = duration
  }
}
