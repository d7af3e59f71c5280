package import SearchModel

/// The status of a post that a search has read.
package struct PostStatus: Hashable, Sendable {
  /// True if any search has printed it, or the first run of this one has read it.
  package var isPrinted: Bool
  /// True if an earlier run of this search has read it.
  package var isRead: Bool

  package init(isPrinted: Bool, isRead: Bool) {
    self.isPrinted = isPrinted
    self.isRead = isRead
  }
}

/// The identity of a post across servers, queries and edits.
package struct PostIdentity: Hashable, Sendable {
  package var source: SourceName
  package var uri: String

  package init(source: SourceName, uri: String) {
    self.source = source
    // SQLite would end the text there.
    self.uri = uri.utf8.contains(0) ? uri.replacing("\0", with: "\u{FFFD}") : uri
  }

  package init(_ post: Post) { self.init(source: post.source, uri: post.uri) }
}
