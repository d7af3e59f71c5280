internal import FoundationEssentials

/// A query, parsed by the rules that the networks' search languages share.
///
/// Words are what a post must hold; `-word` or `NOT word`, and operators such as `lang:en` and
/// `-is:retweet`, only choose among the posts that the words find. Of operators in parentheses one is
/// enough. Quoted text is never an operator.
struct QueryTerms: Sendable, Hashable {
  struct Operator: Sendable, Hashable {
    let name: String
    let value: String
    let isNegated: Bool
    /// The number of the enclosing parentheses, or nil.
    let group: Int?
  }

  let words: [String]
  private(set) var excluded: [String] = []
  private(set) var operators: [Operator] = []
  /// Returns true if the query itself contains a word.
  let hasWords: Bool

  /// Returns true if the query asks for the posts of an author.
  var namesAuthor: Bool {
    operators.contains { !$0.isNegated && ["author", "from"].contains($0.name) }
  }

  private static let day = 86_400_000

  private static let operatorNames: Set<String> = [
    "from", "to", "lang", "is", "has", "since", "until", "url", "domain", "mentions", "author",
    "conversation_id", "filter", "min_likes", "min_replies", "min_reposts", "context", "place",
    "before", "after", "during", "in", "language",
  ]

  init(_ query: String) {
    var words: [String] = []
    var isNegation = false
    for token in QueryToken.all(in: query) {
      var text = token.text
      if !token.isQuoted {
        if text == "NOT" { isNegation = true }
        if ["OR", "AND", "NOT"].contains(text) { continue }
        if let colon = text.firstIndex(of: ":"), Self.operatorNames.contains(String(text[..<colon]))
        {
          operators.append(
            Operator(
              name: String(text[..<colon]), value: String(text[text.index(after: colon)...]),
              isNegated: token.isNegated || isNegation, group: token.group))
          isNegation = false
          continue
        }
        // A hashtag finds what its word finds, so that two tags can find one post.
        if text.hasPrefix("#"), text.count > 1 { text.removeFirst() }
      }
      if token.isNegated || isNegation {
        excluded.append(text)
      } else {
        words += text.split(whereSeparator: \.isWhitespace).map(String.init)
      }
      isNegation = false
    }
    hasWords = !words.isEmpty
    // A search by operators alone finds posts too.
    self.words = hasWords ? words : ["post"]
  }

  /// The words alone, which determine the corpus.
  var key: String { words.joined(separator: " ") }

  /// Queries that begin with `nothing` have an empty corpus.
  var findsNothing: Bool { words[0].lowercased().hasPrefix("nothing") }

  /// The number of posts of a query that begins with `plenty`: more than any network's ceiling, or the
  /// number in that word, as in `plenty10000`; nil for any other query.
  var plenty: Int? {
    let word = words[0].lowercased()
    guard word.hasPrefix("plenty") else { return nil }
    return Int(word.dropFirst(6)).flatMap { Self.mostPlenty.contains($0) ? $0 : nil } ?? 1500
  }

  private static let mostPlenty = 1...20_000

  /// Returns true for a post that also satisfies the rest of the query; all posts contain its words.
  func chooses(_ post: CorpusPost) -> Bool {
    let text = excluded.isEmpty ? "" : post.plainText.lowercased()
    if excluded.contains(where: { text.contains($0.lowercased()) }) { return false }
    let groups = Dictionary(grouping: operators.filter { $0.group != nil }, by: \.group)
    return operators.allSatisfy { $0.group != nil || matches($0, post) != $0.isNegated }
      && groups.values.allSatisfy { $0.contains { matches($0, post) != $0.isNegated } }
  }

  private func matches(_ term: Operator, _ post: CorpusPost) -> Bool {
    switch (term.name, term.value) {
    case ("lang", let language), ("language", let language): post.language == language
    case ("from", let name), ("author", let name): Self.isBy(name, post)
    case ("is", "retweet"), ("filter", "retweets"), ("filter", "nativeretweets"):
      post.shape == .repost
    case ("is", "quote"): post.shape == .quote
    case ("is", "reply"), ("filter", "replies"): post.shape == .reply
    case ("has", "links"), ("filter", "links"): post.hasLink
    case ("has", "media"), ("has", "images"), ("filter", "media"): post.hasImage
    case ("since", let day): DateReading.day(day).map { post.milliseconds >= $0 } ?? true
    case ("after", let day): DateReading.day(day).map { post.milliseconds >= $0 + Self.day } ?? true
    case ("until", let day), ("before", let day):
      DateReading.day(day).map { post.milliseconds < $0 } ?? true
    case ("during", let day): DateForms.day(post.milliseconds) == day
    // What the corpus cannot tell chooses every post.
    default: !term.isNegated
    }
  }

  /// Returns true for any spelling of the author's name: with `@`, a server or Bluesky's domain.
  private static func isBy(_ name: String, _ post: CorpusPost) -> Bool {
    let bare = name.drop { $0 == "@" }.prefix { $0 != "@" && $0 != "." }
    return bare == post.author.handle
  }
}

/// A word or phrase of a query.
struct QueryToken: Sendable, Hashable {
  /// Without its signs: marks, parentheses and the `-` before it.
  let text: String
  let isQuoted: Bool
  let isNegated: Bool
  /// The number of the enclosing parentheses, or nil.
  let group: Int?

  /// Returns the tokens of a query; those of nothing but signs are left out.
  static func all(in query: String) -> [QueryToken] {
    var tokens: [QueryToken] = []
    var rest = query[...]
    var groups = 0
    var isInside = false
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      var isNegated = false
      while let sign = rest.first, sign == "(" || sign == "-" && rest.count > 1 {
        if sign == "(" {
          isInside = true
          groups += 1
        } else {
          isNegated = true
        }
        rest.removeFirst()
      }
      let isQuoted = rest.first == "\""
      let text: Substring
      if isQuoted {
        text = rest.dropFirst().prefix { $0 != "\"" }
        rest = rest.dropFirst(text.count + 2)
      } else {
        text = rest.prefix { !$0.isWhitespace && $0 != "\"" && $0 != ")" }
        rest = rest.dropFirst(text.count)
      }
      let group = isInside ? groups : nil
      while rest.first == ")" {
        isInside = false
        rest.removeFirst()
      }
      guard !text.isEmpty else { continue }
      tokens.append(
        QueryToken(text: String(text), isQuoted: isQuoted, isNegated: isNegated, group: group))
    }
    return tokens
  }
}
