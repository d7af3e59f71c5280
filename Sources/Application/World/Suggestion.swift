internal import SearchSources

/// Finds the known name that somebody may have meant by an unknown one.
package enum Suggestion {
  /// Other names for ours, from other programs or from users of the networks.
  private static let otherNames: [String: String] = [
    // Sources.
    "hn": "hackernews", "ycombinator": "hackernews", "so": "stackexchange",
    "stackoverflow": "stackexchange", "superuser": "stackexchange", "twitter": "x",
    "gh": "github", "yt": "youtube", "bsky": "bluesky", "atproto": "bluesky",
    "fediverse": "mastodon", "masto": "mastodon", "dev": "devto", "rss": "feed", "feeds": "feed",
    "searx": "searxng", "insta": "threads", "sx": "stackexchange",
    // Formats.
    "jsonl": "ndjson", "jsonlines": "ndjson", "md": "markdown", "htm": "html", "txt": "text",
    "tab": "tsv", "excel": "csv", "feed.xml": "atom",
    // Pages of help.
    "exit-status": "exit-codes", "status": "exit-codes", "exitcodes": "exit-codes",
    "variables": "environment", "env": "environment", "configuration": "config",
    "settings": "config", "output": "formats", "time": "dates", "filters": "queries",
    "query": "queries", "syntax": "queries", "networks": "sources", "examples": "recipes",
  ]

  /// The longest name that is compared with others, which takes the product of their lengths.
  private static let longestName = 256

  /// Returns the known name that is nearest to an unknown one: in another spelling, by another name,
  /// its beginning, or a slip or two apart; nil where none is near.
  package static func nearest(to name: String, among known: some Sequence<String>) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    let plain = plain(name)
    let known = known.map { (name: $0, plain: self.plain($0)) }
    if let same = known.first(where: { $0.plain == plain }) { return same.name }
    let otherName = otherNames[name.lowercased()] ?? Sources.network(ofProgram: name)
    if let other = otherName, known.contains(where: { $0.name == other }) {
      return other
    }
    let longer = known.filter { $0.plain.hasPrefix(plain) && plain.count > 1 }
    if longer.count == 1 { return longer[0].name }
    // In a short name, one wrong letter is half of it.
    let most = plain.count < 3 ? 0 : min(2, max(1, plain.count / 4))
    let near = known.map { (name: $0.name, distance: distance(plain, $0.plain)) }
      .filter { $0.distance <= most }
    return near.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }

  /// The line that refuses a name: with the nearest known one, or else with all of them.
  package static func refusal(
    of name: String, as what: String, among known: [String]
  ) -> String {
    "unknown \(what) '\(name)'\(advice(for: name, among: known))"
  }

  /// The end of such a line.
  package static func advice(for name: String, among known: [String]) -> String {
    if let nearest = nearest(to: name, among: known) { return "; did you mean '\(nearest)'?" }
    return " (known: \(known.joined(separator: ", ")))"
  }

  /// The name without case, dashes and blanks.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { !"-_ .".contains($0) }
  }

  /// The number of letters to insert, leave out, replace or swap to turn one name into the other
  /// (optimal string alignment).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var above = Array(repeating: 0, count: other.count + 1)
    var row = Array(0...other.count)
    for index in one.indices {
      var next = [index + 1]
      for column in other.indices {
        let replaced = row[column] + (one[index] == other[column] ? 0 : 1)
        var best = min(replaced, row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, one[index] == other[column - 1], one[index - 1] == other[column] {
          best = min(best, above[column - 1] + 1)
        }
        next.append(best)
      }
      (above, row) = (row, next)
    }
    return row[other.count]
  }
}
