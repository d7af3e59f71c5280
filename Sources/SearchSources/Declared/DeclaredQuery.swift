internal import SearchModel

/// A query in the forms that the requests of a declared source take it in.
struct DeclaredQuery {
  let page: PageRequest

  /// As it was typed.
  var text: String { page.query.text }

  /// Its words without the signs of hashtags.
  var words: String { QueryWords(page.query).withoutSigns }

  /// The tag or single word that it is; nil for any other.
  var tag: String? { Self.tag(of: page.query) }

  static func tag(of query: Query) -> String? { QueryWords(query).loneTag }
}
