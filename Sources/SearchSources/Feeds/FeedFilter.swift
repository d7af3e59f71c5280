internal import SearchModel

/// Whether an entry holds some terms of a query, for feeds that cannot search by them.
///
/// All that is sought must stand in its title, text or categories, as whole words, and nothing that is
/// excluded; case and accents do not count. `#tag` is a category, a hashtag or the word.
struct FeedFilter {
  private let wanted: [SearchedText]
  private let unwanted: [SearchedText]

  init(_ terms: [QueryTerm]) {
    func texts(_ terms: [QueryTerm]) -> [SearchedText] {
      terms.map { SearchedText($0.value, ignoresAccents: true) }.filter { !$0.isEmpty }
    }
    wanted = texts(terms.filter { !$0.isExcluded })
    unwanted = texts(terms.filter(\.isExcluded))
  }

  /// Whether every entry passes.
  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

  /// The text of an entry that terms are looked for in; to prepare it costs more than to search it.
  static func text(of entry: FeedEntry) -> SearchedText {
    // Parts are kept apart, so that no phrase goes across.
    let parts = [entry.title ?? "", entry.text] + entry.categories
    return SearchedText(parts.joined(separator: "\n\n"), ignoresAccents: true)
  }

  func accepts(_ text: SearchedText) -> Bool {
    wanted.allSatisfy(text.holds) && !unwanted.contains(where: text.holds)
  }
}
