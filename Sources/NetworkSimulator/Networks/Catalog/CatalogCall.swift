internal import TextFormats

/// A search of a network of the catalog, with valid parameters.
struct CatalogCall: Sendable {
  let network: String
  let request: SimulatedRequest
  let world: SimulatedWorld
  let parameters: Parameters
  /// The segments of the path that `*` stands for.
  let segments: [String]

  subscript(_ name: String) -> String? { parameters[name] }

  /// Returns the value of a parameter, or its default.
  func integer(_ name: String, default value: Int) -> Int { parameters.integer(name) ?? value }

  /// Returns the posts that a text finds, newest first.
  ///
  /// - Parameter moments: When they were posted, in milliseconds since 1970.
  func posts(_ text: String, within moments: Range<Int> = .allMoments) -> [CorpusPost] {
    world.posts(QueryTerms(text), network: network).filter { moments.contains($0.milliseconds) }
  }

  /// Returns the posts that any of several words finds, newest first; those in quotation marks have to be there.
  func posts(anyOf text: String, within moments: Range<Int> = .allMoments) -> [CorpusPost] {
    let loose = QueryToken.all(in: text).filter { !$0.isQuoted }.map(\.text)
    let found = posts(text, within: moments)
    return loose.count > 1
      ? Self.adding(found, lacking: Array(loose.dropFirst())) { _ in "elsewhere" } : found
  }

  /// Returns the posts that a text finds, and those with a word one letter away or in a longer one, newest first.
  func posts(near text: String, within moments: Range<Int> = .allMoments) -> [CorpusPost] {
    Self.adding(posts(text, within: moments), lacking: QueryTerms(text).words) { $0 + "s" }
  }

  /// Adds to a fifth of the posts another one each, in which some words are changed.
  private static func adding(
    _ posts: [CorpusPost], lacking words: [String], _ change: (String) -> String
  ) -> [CorpusPost] {
    let others = posts.filter { $0.has(140, percent: 20) }.map { $0.nearMiss(of: words, change) }
    return (posts + others).sorted { ($0.milliseconds, $0.mark) > ($1.milliseconds, $1.mark) }
  }

  /// Returns the posts that a text finds, the most relevant first.
  func relevantPosts(_ text: String, within moments: Range<Int> = .allMoments) -> [CorpusPost] {
    posts(text, within: moments).byRelevance
  }

  /// Returns a page of posts.
  func page(
    _ found: [CorpusPost], at offset: Int, size: Int, namesNext: Bool = true
  ) -> PageCut<CorpusPost> {
    world.cut(found, at: offset, size: size, namesNext: namesNext)
  }

  /// The address of the request, with other values of some parameters.
  func address(_ changes: KeyValuePairs<String, String>) -> String {
    let changed = Set(changes.map(\.key))
    let pairs =
      parameters.pairs.filter { !changed.contains($0.name) }
      + changes.map { (name: $0.key, value: $0.value) }
    let query = pairs.map {
      "\(PercentDecoding.encode($0.name))=\(PercentDecoding.encode($0.value))"
    }
    let base =
      world.paging == .deadCursor
      ? "https://elsewhere.example" : "http://\(request.host)\(request.path)"
    return "\(base)?\(query.joined(separator: "&"))"
  }
}

extension Range<Int> {
  static let allMoments = Int.min..<Int.max

  /// The moments from one to before another, where either may be missing.
  static func moments(from start: Int?, before end: Int?) -> Range<Int> {
    let start = start ?? .min
    return start..<Swift.max(start, end ?? .max)
  }
}

extension CorpusAuthor {
  var shownName: String { name.isEmpty ? handle : name }
}

extension CorpusPost {
  private static let day = 86_400_000

  /// The names of its tags.
  var hashtags: [String] {
    pieces.compactMap { if case .hashtag(let name) = $0 { name } else { nil } }
  }

  /// Its authors, as papers have several.
  var authors: [CorpusAuthor] {
    has(130, percent: 40) && other.ordinal != author.ordinal ? [author, other] : [author]
  }

  /// When it was changed, in milliseconds since 1970; when it was posted if it never was.
  var changed: Int { shape == .edited ? milliseconds + 60_000 : milliseconds }

  /// When its day began, in milliseconds since 1970.
  var dayStart: Int { milliseconds - milliseconds % Self.day }
}
