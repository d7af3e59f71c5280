internal import SearchEngine
internal import SearchModel
internal import SearchSources

extension PlannedSearch {
  /// The source that it is on.
  var source: SourceName {
    switch self {
    case .ask(let search): search.source.name
    case .skip(let outcome): outcome.source
    }
  }
}
