/// A word, a phrase or a hashtag of a query, prepared to be looked for in posts.
package struct SoughtText: Hashable, Sendable {
  private let text: SearchedText
  /// The key of the topics that it equals, too; nil unless it is a hashtag.
  private let topic: String?

  /// - Parameters:
  ///   - hashtag: The text of a hashtag in posts: `#name`, unless the word alone is enough.
  ///   - ignoresAccents: As in the text that it is looked for in.
  package init(_ term: QueryTerm, hashtag: String? = nil, ignoresAccents: Bool = false) {
    let isTag = term.kind == .tag
    text = SearchedText(
      isTag ? hashtag ?? "#" + term.value : term.value, ignoresAccents: ignoresAccents)
    topic = isTag ? Topic.key(term.value) : nil
  }

  package var isEmpty: Bool { text.isEmpty }

  /// True if a text contains it, or a topic equals it.
  package func isIn(_ text: SearchedText, topics: [String]) -> Bool {
    if text.holds(self.text) { return true }
    guard let topic, !topic.isEmpty else { return false }
    return topics.contains { Topic.key($0) == topic }
  }
}
