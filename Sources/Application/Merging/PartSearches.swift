internal import SearchModel

/// The searches of all parts in the order of the whole plan.
struct PartSearches {
  private let files: [PartFile]
  let outcomes: [SearchOutcome]

  init(of files: [PartFile]) {
    self.files = files
    outcomes = files.compactMap(\.closing).flatMap { zip($0.part.places, $0.outcomes) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Reads the posts, and returns them by the searches that found them, in the order of the whole plan: on
  /// which the copy that is shown and the order of its tags depend.
  ///
  /// - Parameter apart: The posts to return; nil for all.
  func found(only apart: PostsApart? = nil) throws -> [FoundPosts] {
    var places: [Search: Int] = [:]
    var found: [FoundPosts] = []
    for outcome in outcomes {
      guard let server = outcome.server else { continue }
      let search = Search(tag: outcome.tag, source: outcome.source, server: server)
      guard places[search] == nil else { continue }
      places[search] = found.count
      found.append(FoundPosts(tag: outcome.tag, posts: []))
    }
    for (file, part) in files.enumerated() where apart?.hasPosts(ofFile: file) ?? true {
      var records = part.records()
      while let record = try records.next() {
        let post = record.post
        let location = PostsApart.Location(file: file, number: record.number)
        guard apart?.contains(location) ?? true else { continue }
        for tag in post.tags {
          let search = Search(tag: tag, source: post.source, server: post.server)
          let place = places[search] ?? found.count
          if place == found.count {
            // Of a part that was cut off.
            places[search] = place
            found.append(FoundPosts(tag: tag, posts: []))
          }
          found[place].posts.append(post)
        }
      }
    }
    return found
  }

  private struct Search: Hashable {
    let tag: String
    let source: SourceName
    let server: ServerAddress
  }
}
