internal import SearchModel

/// A query as GoToSocial's search takes it: one text, and all the rest judged here.
///
/// The search compares the whole query, as one text, with the HTML and the warning of a post; its only
/// operator is `from:`. So the longest word that is written in HTML as it is typed is asked for.
struct GoToSocialQuery {
  /// What is asked for; nil where nothing is that would find all posts that are wanted.
  let text: String?
  /// What posts are judged by.
  let localTerms: [QueryTerm]

  static let note =
    "GoToSocial finds words only in your own posts and the replies to them, not in others' posts"

  /// Signs that HTML writes in another way, or that an element may follow; an address and a hashtag
  /// would be looked up instead of searched for.
  private static let separators: Set<Character> = ["&", "<", ">", "\"", "'", "#", "@", ":", "/"]

  init(_ query: Query, on server: ServerAddress, canBeAuthor: (String) -> Bool) {
    guard !query.isRaw else {
      text = query.text
      localTerms = []
      return
    }
    let terms = query.terms.filter { $0.kind != .author || canBeAuthor($0.value) }
    localTerms = terms
    let words = terms.filter { $0.isSought && $0.kind != .author }.flatMap { term in
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

  /// The part of a word that is found whatever way the database folds case: SQLite folds ASCII alone,
  /// and a capital is mostly the first letter.
  private static func foldable(_ word: Substring) -> Substring {
    let parts = word.split { $0.unicodeScalars.contains { !$0.isASCII && $0.properties.isCased } }
    if let part = longest(parts), part.count > 2 { return part }
    let isSafe = word.first.map { $0.isASCII || !$0.isCased } ?? true
    return isSafe || word.count < 3 ? word : word.dropFirst()
  }

  /// The first of the longest; nil where there is none.
  private static func longest(_ words: [Substring]) -> Substring? {
    words.max { $0.count < $1.count }.flatMap { most in words.first { $0.count == most.count } }
  }

  /// The server knows its own people without a host.
  private static func withoutHost(_ author: String, of server: ServerAddress) -> String {
    let parts = author.split(separator: "@", maxSplits: 1)
    guard parts.count == 2, [server.authority, server.host].contains(parts[1].lowercased()) else {
      return author
    }
    return String(parts[0])
  }
}
