/// The value of `--exclude`: words, authors and sources.
///
/// Parts are separated by commas. `@amy` or `author:amy` is an author, `source:reddit` a source, and
/// anything else, even `#swift`, is adjacent words in a post. Within quotation marks a comma, a colon or
/// an `@` belongs to the words.
package struct ExclusionList: Hashable, Sendable {
  package private(set) var words: [SearchedText] = []
  package private(set) var authors: [AuthorName] = []
  package private(set) var sources: [SourceName] = []

  package init() {}

  /// Creates a list; nil for one without parts, or with a part without a name, such as `@`.
  package init?(_ text: String) {
    for part in Self.parts(of: text) {
      guard add(part) else { return nil }
    }
    if words.isEmpty, authors.isEmpty, sources.isEmpty { return nil }
  }

  package var isEmpty: Bool { self == ExclusionList() }

  /// Adds authors, such as those that a user has muted.
  package mutating func add(_ names: [AuthorName]) {
    authors += names.filter { !authors.contains($0) }
  }

  private mutating func add(_ part: Substring) -> Bool {
    if part.hasPrefix("\"") {
      return addWords(part)
    } else if part.hasPrefix("@") {
      return addAuthor(part)
    } else if let name = Self.remainder(of: part, after: "author:") {
      return addAuthor(name)
    } else if let name = Self.remainder(of: part, after: "source:") {
      sources.append(SourceName(rawValue: name.lowercased()))
      return !name.isEmpty
    } else {
      return addWords(part)
    }
  }

  private mutating func addWords(_ part: Substring) -> Bool {
    let text = SearchedText(part.filter { $0 != "\"" })
    guard !text.isEmpty else { return false }
    words.append(text)
    return true
  }

  private mutating func addAuthor(_ part: Substring) -> Bool {
    let name = AuthorName(part.filter { $0 != "\"" })
    authors.append(name)
    return !name.text.isEmpty
  }

  private static func remainder(of part: Substring, after prefix: String) -> Substring? {
    part.prefix(prefix.count).lowercased() == prefix ? part.dropFirst(prefix.count) : nil
  }

  /// The parts between the commas outside of quotation marks, without blanks around them and without empty
  /// ones.
  private static func parts(of text: String) -> [Substring] {
    var parts: [Substring] = []
    var isQuoted = false
    var start = text.startIndex
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      guard text[index] == ",", !isQuoted else { continue }
      parts.append(text[start..<index])
      start = text.index(after: index)
    }
    parts.append(text[start...])
    return parts.map { Substring(Query.trimmed(String($0))) }.filter { !$0.isEmpty }
  }
}

/// The name of an author as users type it: with or without `@`, and with or without a server.
package struct AuthorName: Hashable, Sendable {
  /// The name in lower case, without a leading `@`.
  package let text: String

  package init(_ text: some StringProtocol) {
    self.text = text.drop { $0 == "@" }.lowercased()
  }

  /// Returns whether a handle is this author's: `amy` matches `Amy`, `amy@any.example` and
  /// `amy.bsky.social`.
  package func isHandle(_ handle: String) -> Bool {
    let handle = AuthorName(handle).text
    if handle == text { return true }
    guard !text.contains("@") else { return false }
    return handle.prefix { $0 != "@" } == text || handle == text + ".bsky.social"
  }

  /// Returns whether a display name is this author's, or names several authors with this one among them.
  package func isName(_ name: String) -> Bool {
    let name = AuthorName(name).text
    if name == text { return true }
    // Where names have commas, as in "Doe, Jane; Roe, Rick", several are separated by semicolons.
    let signs: [Character] = [";", ","]
    guard let separator = signs.first(where: name.contains) else { return false }
    return name.split(separator: separator).contains { $0.drop { $0 == " " } == text }
  }
}

extension [AuthorName] {
  /// Returns whether one of them wrote a post, or passed it on.
  package func hold(anAuthorOf post: borrowing Post) -> Bool {
    guard !isEmpty else { return false }
    return [post.author, post.repostedBy].compactMap(\.self).contains { person in
      // Feeds and journals know names only.
      let name = person.handle.isEmpty ? person.name : nil
      return contains { $0.isHandle(person.handle) || name.map($0.isName) ?? false }
    }
  }
}
