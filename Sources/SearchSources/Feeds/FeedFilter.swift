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

  func accepts(_ entry: FeedEntry) -> Bool {
    guard !wanted.isEmpty || !unwanted.isEmpty else { return true }
    // Parts are kept apart, so that no phrase goes across.
    let parts = [entry.title ?? "", entry.text] + entry.categories
    let text = SearchedText(parts.joined(separator: "\n\n"), ignoresAccents: true)
    return wanted.allSatisfy(text.holds) && !unwanted.contains(where: text.holds)
  }
}
