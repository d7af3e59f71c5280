internal import SearchModel

/// A query in the form that GoToSocial's search needs.
///
/// The search compares the whole query, as one text, with the HTML and the content warning of a post;
/// its only operator is `from:`. So the longest word that HTML does not change is sent.
struct GoToSocialQuery {
  /// The text to search for; nil if no text finds all matching posts.
  let text: String?
  /// The terms that posts are filtered by here.
  let localTerms: [QueryTerm]

  static let note =
    "GoToSocial searches only your own posts and the replies to them, not other people's posts"

  /// Characters that HTML escapes, and those before or after which an element may stand: a hashtag ends at a
  /// hyphen. Addresses and hashtags would be looked up instead of searched for.
  private static let separators: Set<Character> = [
    "&", "<", ">", "\"", "'", "#", "@", ":", "/", "-",
  ]

  init(_ query: Query, on server: ServerAddress, canBeAuthor: (String) -> Bool) {
    guard !query.isRaw else {
      text = query.text
      localTerms = []
      return
    }
    let terms = query.terms.filter { $0.kind != .author || canBeAuthor($0.value) }
    localTerms = terms
    let words = terms.filter(\.isSoughtText).flatMap { term in
      term.value.split { $0.isWhitespace || Self.separators.contains($0) }.map(Self.foldable)
    }
    let authors = terms.filter { $0.kind == .author && !$0.isExcluded }
    if let longest = Self.longest(words) {
      text = String(longest)
    } else if authors.count == 1, let author = authors.first?.value {
      text = "from:" + Self.withoutHost(author, of: server)
    } else {
      text = nil
    }
  }

  /// The part of a word that is found however the database folds case: SQLite folds only ASCII, and most
  /// capitals are first letters.
  private static func foldable(_ word: Substring) -> Substring {
    let parts = word.split { $0.unicodeScalars.contains { !$0.isASCII && $0.properties.isCased } }
    if let part = longest(parts), part.count > 2 { return part }
    let isSafe = word.first.map { $0.isASCII || !$0.isCased } ?? true
    return isSafe || word.count < 3 ? word : word.dropFirst()
  }

  /// The first of the longest words; nil if there are no words.
  private static func longest(_ words: [Substring]) -> Substring? {
    words.max { $0.count < $1.count }.flatMap { most in words.first { $0.count == most.count } }
  }

  /// The server knows its own users without a host.
  private static func withoutHost(_ author: String, of server: ServerAddress) -> String {
    let parts = author.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, [server.authority, server.host].contains(parts[1].lowercased()) else {
      return author
    }
    return String(parts[0])
  }
}
