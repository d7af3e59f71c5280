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

  /// The progress of several runs at once.
  package init(sum parts: some Sequence<RunProgress>) {
    self.init(searches: 0, ended: 0, posts: 0)
    for part in parts {
      searches += part.searches
      ended += part.ended
      posts += part.posts
      waits += part.waits
    }
  }
}

/// A server that has asked the run to wait.
package struct ServerWait: Hashable, Sendable {
  package var source: SourceName
  package var server: ServerAddress
  package var duration: Duration
}
