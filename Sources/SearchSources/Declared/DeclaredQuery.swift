internal import SearchModel

/// A query in the forms that the requests of a declared source take it in.
struct DeclaredQuery {
  let page: PageRequest
  let split: QuerySplit

  /// What is looked for, as it was typed: the declaration says nothing of the network's own language.
  var text: String {
    page.query.isRaw
      ? page.query.text : split.asked.map(\.description).joined(separator: " ")
  }

  /// The same in words, without the signs of hashtags.
  var words: String {
    SearchLanguage.wordsOnly.text(of: page.query, asking: split.asked)
  }

  /// The tag or single word that it is; nil for any other.
  var tag: String? { split.oneTag(of: page.query) }
}
