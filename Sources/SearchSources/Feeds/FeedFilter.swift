internal import SearchModel

/// Whether an entry holds some terms of a query, for feeds that cannot search by them.
///
/// All that is sought must stand in its title, text or categories, as whole words, and nothing that is
/// excluded; case and accents do not count. `#tag` is a category, a hashtag or the word.
struct FeedFilter {
  private let wanted: [FoldedText]
  private let unwanted: [FoldedText]

  init(_ terms: [QueryTerm]) {
    wanted = terms.filter { !$0.isExcluded }.map { FoldedText($0.value) }.filter { !$0.isEmpty }
    unwanted = terms.filter(\.isExcluded).map { FoldedText($0.value) }.filter { !$0.isEmpty }
  }

  func accepts(_ entry: FeedEntry) -> Bool {
    guard !wanted.isEmpty || !unwanted.isEmpty else { return true }
    // Parts are kept apart, so that no phrase goes across.
    let parts = [entry.title ?? "", entry.text] + entry.categories
    let text = FoldedText(parts.joined(separator: "\n\n"))
    return wanted.allSatisfy { text.contains($0) } && !unwanted.contains { text.contains($0) }
  }
}
