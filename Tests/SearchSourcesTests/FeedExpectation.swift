import Foundation
import TextFormats

@testable import SearchSources

/// The title, link, date and author that an expression of feedparser's tests expects, and whether a
/// feed keeps it. https://github.com/kurtmckee/feedparser
struct FeedExpectation {
  /// One comparison: the steps of a path, and the value that it leads to.
  struct Clause {
    var path: [String]
    var value: String
  }

  /// The comparisons that are about what is looked at here.
  let clauses: [Clause]

  private static let known: Set = [
    "title", "link", "author", "author_detail", "published", "updated", "created",
    "published_parsed",
    "updated_parsed", "created_parsed", "date", "date_parsed", "modified", "modified_parsed",
    "issued", "issued_parsed", "title_detail",
  ]

  init(_ expression: String) {
    var clauses: [Clause] = []
    for part in expression.components(separatedBy: " and ") {
      let sides = part.components(separatedBy: " == ").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard sides.count > 1, let value = sides.last else { continue }
      for side in sides.dropLast() {
        let steps = Self.steps(side)
        let field = steps.first == "entries" ? steps.dropFirst(2).first : steps.dropFirst().first
        guard let root = steps.first, root == "feed" || root == "entries", let field,
          Self.known.contains(field)
        else { continue }
        let isDetail = field.hasSuffix("_detail")
        if isDetail, let last = steps.last, !["name", "email", "href", "value"].contains(last) {
          continue
        }
        if steps.contains("source") || steps.contains("contributors") { continue }
        clauses.append(Clause(path: steps, value: value))
      }
    }
    self.clauses = clauses
  }

  /// The comparisons that do not hold.
  func broken(by feed: FeedDocument?) -> [String] {
    clauses.compactMap { clause in
      let found = Self.values(at: clause.path, in: feed)
      let isKept = found.contains { Self.isSame($0, clause.value, clause.path) }
      return isKept ? nil : "\(clause.path) is \(found), and not \(clause.value)"
    }
  }

  /// `entries[0]['title']` and `feed.title` as their steps.
  private static func steps(_ path: String) -> [String] {
    path.replacingOccurrences(of: "[", with: ".").split(separator: ".")
      .map { $0.filter { !"]'\"".contains($0) } }
  }

  /// The values there, in each form in which they may be expected.
  private static func values(at path: [String], in feed: FeedDocument?) -> [String] {
    guard let feed else { return [] }
    if path[0] == "feed" {
      return values(
        path.dropFirst(), title: feed.title, link: feed.link, authors: feed.authors,
        published: feed.published, updated: feed.updated)
    }
    guard let index = Int(path[1]), feed.entries.indices.contains(index) else { return [] }
    let entry = feed.entries[index]
    return values(
      path.dropFirst(2), title: entry.title, link: entry.link, authors: entry.authors,
      published: entry.published, updated: entry.updated)
  }

  private static func values(
    _ path: ArraySlice<String>, title: String?, link: String?, authors: [FeedPerson],
    published: Date?, updated: Date?
  ) -> [String] {
    let field = path.first ?? ""
    if field.hasPrefix("title") { return title.map { [$0] } ?? [] }
    if field == "link" { return link.map { [$0] } ?? [] }
    guard field.hasPrefix("author") else {
      return [published, updated].compactMap { $0.map(RFC3339.format) }
    }
    guard let author = authors.last else { return [] }
    switch path.last {
    case "name": return [author.name].compactMap(\.self)
    case "href": return [author.url].compactMap(\.self)
    case "email": return [author.email].compactMap(\.self)
    default:
      guard let name = author.name else { return [author.email].compactMap(\.self) }
      return author.email.map { ["\(name) (\($0))", "\($0) (\(name))", name] } ?? [name]
    }
  }

  private static func isSame(_ found: String, _ expected: String, _ path: [String]) -> Bool {
    if expected.hasPrefix("(") {
      // A moment as nine numbers.
      let numbers = expected.split { !$0.isNumber }.compactMap { Int($0) }
      let parts = found.split { !$0.isNumber }.prefix(6).compactMap { Int($0) }
      return numbers.prefix(6).elementsEqual(parts)
    }
    let text = literal(expected)
    if let date = LooseDate.parse(text), RFC3339.format(date) == found { return true }
    // Titles stay HTML there, and are plain here.
    let html = HTMLText.read(text).text.onOneLine
    return found == text || found == text.onOneLine || found == html
  }

  /// The value of a string as Python writes it.
  private static func literal(_ text: String) -> String {
    var rest = text.drop { $0 == "u" }
    guard let quote = rest.popFirst(), rest.popLast() == quote else { return text }
    var value = ""
    while let character = rest.popFirst() {
      guard character == "\\", let kind = rest.popFirst() else {
        value.append(character)
        continue
      }
      switch kind {
      case "x", "u", "U":
        let digits = rest.prefix(kind == "x" ? 2 : kind == "u" ? 4 : 8)
        rest = rest.dropFirst(digits.count)
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
          value.unicodeScalars.append(scalar)
        }
      case "n": value.append("\n")
      case "t": value.append("\t")
      default: value.append(kind)
      }
    }
    return value
  }
}
