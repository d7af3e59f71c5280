/// What `--exclude` names: words, authors and sources.
///
/// Parts are separated by commas. `@amy` or `author:amy` is an author, `source:reddit` a source, and
/// anything else words that stand in a post side by side, `#swift` among them. Within quotation marks a
/// comma, a colon or an `@` is a part of the words.
package struct ExclusionList: Hashable, Sendable {
  package private(set) var words: [SearchedText] = []
  package private(set) var authors: [AuthorName] = []
  package private(set) var sources: [SourceName] = []

  package init() {}

  /// Refuses a list that names nothing, or a part without its name, such as `@`.
  package init?(_ text: String) {
    for part in Self.parts(of: text) {
      guard add(part) else { return nil }
    }
    if words.isEmpty, authors.isEmpty, sources.isEmpty { return nil }
  }

  package var isEmpty: Bool { self == ExclusionList() }

  private mutating func add(_ part: Substring) -> Bool {
    if part.hasPrefix("\"") {
      return addWords(part)
    } else if part.hasPrefix("@") {
      return addAuthor(part)
    } else if let name = Self.rest(of: part, behind: "author:") {
      return addAuthor(name)
    } else if let name = Self.rest(of: part, behind: "source:") {
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

  private static func rest(of part: Substring, behind prefix: String) -> Substring? {
    part.prefix(prefix.count).lowercased() == prefix ? part.dropFirst(prefix.count) : nil
  }

  /// The parts between the commas that stand in no quotation marks, without blanks around them; empty
  /// ones are left out.
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
