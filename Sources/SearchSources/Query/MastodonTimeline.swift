internal import SearchModel

/// The choice of the timeline that answers a query on Mastodon, in place of a search.
/// https://docs.joinmastodon.org/methods/timelines/#tag
enum MastodonTimeline {
  /// The term whose timeline is read: a hashtag, or without a token the only word; nil for a search.
  static func term(
    of query: Query, hasToken: Bool, onGoToSocial: Bool = false
  ) -> QueryTerm? {
    let texts = query.terms.filter(\.isSoughtText)
    let hashtag = texts.first { $0.kind == .tag && isTag($0.value) }
    guard !hasToken else {
      // The timeline of a busy hashtag is a poor way to one author's posts, unless it is the only one.
      let namesAuthor = query.terms.contains { $0.kind == .author && !$0.isExcluded }
      return namesAuthor && !onGoToSocial ? nil : hashtag
    }
    if let hashtag { return hashtag }
    guard texts.count == 1, let word = texts.first, word.kind == .word, isTag(word.value) else {
      return nil
    }
    return word
  }

  /// The hashtag whose timeline is read.
  static func hashtag(
    of split: QuerySplit, hasToken: Bool, onGoToSocial: Bool = false
  ) -> String? {
    let query = split.query
    guard query.isRaw else {
      return term(of: query, hasToken: hasToken, onGoToSocial: onGoToSocial)?.value
    }
    let isHashtag = query.text.hasPrefix("#")
    return split.rawTag.flatMap { isTag($0) && (isHashtag || !hasToken) ? $0 : nil }
  }

  /// True if a text can be a hashtag.
  static func isTag(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy(isTagCharacter)
  }

  /// True if Mastodon allows a character in hashtags: letters, marks, digits, `_` and some joiners.
  private static func isTagCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber:
      true
    default: ["_", "\u{B7}", "\u{30FB}", "\u{200C}", "\u{200D}"].contains(scalar)
    }
  }
}
