internal import SearchModel

/// A query in the forms that the requests of a declared source take it in.
struct DeclaredQuery {
  let page: PageRequest
  let split: QuerySplit

  /// Signs and quotation marks go as they were typed: the declaration says nothing of the network's own
  /// language, and what it finds too much is judged here.
  private static let language = SearchLanguage(
    plainSigns: SearchLanguage.wordsOnly.plainSigns,
    plainFirstSigns: SearchLanguage.wordsOnly.plainFirstSigns, operators: [], tag: "#")

  /// What is looked for, as it was typed.
  var text: String {
    page.query.isRaw ? page.query.text : Self.language.text(of: split.asked)
  }

  /// The same in words, without the signs of hashtags.
  var words: String {
    page.query.isRaw ? page.query.text : SearchLanguage.wordsOnly.text(of: split.asked)
  }

  /// The tag or single word that it is; nil for any other.
  var tag: String? {
    page.query.isRaw ? QuerySplit.rawTag(of: page.query) : split.asked.first?.value
  }
}
