internal import SearchModel
internal import SearchSources

extension Search {
  /// Whether some of what it finds will be left out here.
  func isSifted(by filter: PostFilter) -> Bool {
    !filter.reasons.isEmpty || !source.split(query, with: credentials).judged.isEmpty
  }
}
