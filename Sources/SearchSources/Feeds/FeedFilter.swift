internal import SearchModel

/// Whether an entry is about a query, for feeds that cannot search.
///
/// All words must stand in its title, text or categories, as whole words; case and accents do not
/// count. `#tag` is a category, a hashtag or the word; `"a phrase"` stands as it is; `-word` must
/// not stand there.
struct FeedFilter {
  private var wanted: [FoldedText] = []
  private var unwanted: [FoldedText] = []

  init(_ query: Query) {
    var rest = Substring(query.text)
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      let isUnwanted = rest.hasPrefix("-") && rest.dropFirst().first?.isWhitespace == false
      if isUnwanted { rest.removeFirst() }
      var term: Substring
      if rest.hasPrefix("\""), let end = rest.dropFirst().firstIndex(of: "\"") {
        term = rest[rest.index(after: rest.startIndex)..<end]
        rest = rest[rest.index(after: end)...]
      } else {
        term = rest.prefix { !$0.isWhitespace }
        rest = rest[term.endIndex...]
        term = QueryWords.name(of: term) ?? term
      }
      let folded = FoldedText(term)
      guard !folded.isEmpty else { continue }
      if isUnwanted { unwanted.append(folded) } else { wanted.append(folded) }
    }
  }

  func accepts(_ entry: FeedEntry) -> Bool {
    // Parts are kept apart, so that no phrase goes across.
    let parts = [entry.title ?? "", entry.text] + entry.categories
    let text = FoldedText(parts.joined(separator: "\n\n"))
    return wanted.allSatisfy { text.contains($0) } && !unwanted.contains { text.contains($0) }
  }
}
