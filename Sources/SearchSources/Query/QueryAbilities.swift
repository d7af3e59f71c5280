/// What of a query a network's own search can be asked for; what is missing is judged here, after the
/// answer.
package struct QueryAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let words = QueryAbilities(rawValue: 1 << 0)
  /// Words side by side, in quotation marks; without it they are asked for one by one, and judged.
  package static let phrases = QueryAbilities(rawValue: 1 << 1)
  /// Hashtags or tags of its own; without it a tag is looked for as a word.
  package static let tags = QueryAbilities(rawValue: 1 << 2)
  package static let authors = QueryAbilities(rawValue: 1 << 3)
  /// One of several authors.
  package static let anyAuthor = QueryAbilities(rawValue: 1 << 4)
  package static let languages = QueryAbilities(rawValue: 1 << 5)
  /// One of several languages.
  package static let anyLanguage = QueryAbilities(rawValue: 1 << 6)
  /// Words and, where it knows them, phrases that must not be there.
  package static let excludedWords = QueryAbilities(rawValue: 1 << 7)
  package static let excludedTags = QueryAbilities(rawValue: 1 << 8)
  package static let excludedAuthors = QueryAbilities(rawValue: 1 << 9)
  package static let excludedLanguages = QueryAbilities(rawValue: 1 << 10)
}
