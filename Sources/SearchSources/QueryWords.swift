internal import SearchModel

/// A query's words for networks that do not know hashtags, or know nothing else.
struct QueryWords {
  let all: [Substring]

  init(_ query: Query) { all = query.text.split(whereSeparator: \.isWhitespace) }

  /// The words, each without the sign of a hashtag: such networks would look for the sign too.
  var withoutSigns: String { all.map { Self.name(of: $0) ?? $0 }.joined(separator: " ") }

  /// Why a network that lists tags and searches for no words cannot be asked; nil when it can.
  var refusalWithoutSearch: String? {
    loneTag == nil
      ? "only a tag or a single word can be searched: it has no search for words" : nil
  }

  /// The tag that the whole query is: a hashtag, or a lone word without any sign of a language.
  var loneTag: String? {
    guard all.count == 1, let word = all.first else { return nil }
    if let name = Self.name(of: word) { return String(name) }
    let isPlain =
      !word.hasPrefix("#") && !word.hasPrefix("-") && !word.contains { "\":()@".contains($0) }
    return isPlain ? String(word) : nil
  }

  /// The name behind the sign of a hashtag; nil for any other word.
  static func name(of word: Substring) -> Substring? {
    guard word.hasPrefix("#"), let first = word.dropFirst().unicodeScalars.first,
      first.properties.isAlphabetic || first.properties.numericType != nil
    else { return nil }
    return word.dropFirst()
  }
}
