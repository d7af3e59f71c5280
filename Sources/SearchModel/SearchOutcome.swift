/// How one search ended.
package struct SearchOutcome: Hashable, Sendable {
  /// The query of the tag.
  package var tag: String
  package var source: SourceName
  /// The base address asked; nil when there was none to ask.
  package var server: ServerAddress?
  package var ending: Ending
  /// The posts of this search, before all are merged and limited; nil where that hangs on the order of
  /// arrival.
  package var posts: Int?
  /// The answers that it has used, shared ones included; nil as for `posts`.
  package var pages: Int?

  package init(tag: String, source: SourceName, server: ServerAddress?, ending: Ending) {
    self.tag = tag
    self.source = source
    self.server = server
    self.ending = ending
  }
}
