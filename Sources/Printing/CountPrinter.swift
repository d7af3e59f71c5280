internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints numbers of posts instead of posts: with bars for people, or as rows and objects for programs.
package struct CountPrinter: PostPrinter {
  /// The property that posts are counted by.
  package enum Key: String, CaseIterable, Sendable {
    case network, author, tag, day, hour, language
  }

  /// The formats that counts can be printed in.
  package static let formats: [OutputFormat] = [
    .text, .plain, .json, .ndjson, .csv, .tsv, .markdown,
  ]

  private let key: Key
  private let format: OutputFormat
  private let style: TextStyle

  /// - Parameter format: One of `formats`; any other prints as text.
  package init(_ key: Key, as format: OutputFormat, style: TextStyle) {
    self.key = key
    self.format = format
    self.style = style
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] { [] }

  package func ending(of result: RunResult) -> [UInt8] {
    let rows = rows(of: result.posts)
    switch format {
    case .json, .ndjson: return json(rows, result)
    case .csv: return table(rows, result, .csv)
    case .tsv: return table(rows, result, .tsv)
    case .plain: return plain(rows, result)
    case .markdown: return markdown(rows, result)
    case .text, .html, .atom, .jsonfeed, .github: return bars(rows)
    }
  }

  private typealias Row = (name: String, count: Int)

  /// Returns the counts: the largest first, or the latest first for days and hours.
  private func rows(of posts: ArraySlice<Post>) -> [Row] {
    var counts: [String: Int] = [:]
    for index in posts.indices {
      for name in names(of: posts[index]) { counts[name, default: 0] += 1 }
    }
    let isTime = key == .day || key == .hour
    return counts.map { (name: $0.key, count: $0.value) }.sorted { one, other in
      if isTime { return Self.isLater(one.name, other.name) }
      return (other.count, one.name) < (one.count, other.name)
    }
  }

  private static let undated = "undated"

  private static func isLater(_ one: String, _ other: String) -> Bool {
    if one == undated || other == undated { return other == undated && one != undated }
    return one > other
  }

  /// Returns what a post counts for; dates are those of UTC.
  private func names(of post: borrowing Post) -> [String] {
    switch key {
    case .network: return [post.source.rawValue]
    case .author:
      let handle = post.author.handle
      let name = handle.isEmpty ? post.author.name ?? "unknown" : "@\(handle)"
      return ["\(name) (\(post.source.rawValue))"]
    case .tag: return post.tags
    case .language: return [LanguageTag.primary(post.language) ?? "unknown"]
    case .day, .hour:
      guard let date = post.createdAt, RFC3339.canWrite(date) else { return [Self.undated] }
      let text = RFC3339.format(date)
      return [key == .day ? String(text.prefix(10)) : "\(text.prefix(13)):00Z"]
    }
  }

  /// `mastodon  310  ██████████`, as wide as the terminal.
  private func bars(_ rows: [Row]) -> [UInt8] {
    let columns = style.columns ?? 80
    let shown = rows.map { row in
      (
        name: Ellipsis.truncate(ControlCodes.strippedToLine(row.name), to: columns / 2),
        count: row.count
      )
    }
    let nameWidth = shown.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0
    let countWidth = shown.map { String($0.count).utf8.count }.max() ?? 0
    let most = max(rows.map(\.count).max() ?? 1, 1)
    let room = max(columns - nameWidth - countWidth - 4, 1)
    var bytes: [UInt8] = []
    for row in shown {
      let count = String(row.count)
      bytes.append(row.name + blanks(nameWidth - DisplayWidth.columns(of: row.name)))
      bytes.append("  \(blanks(countWidth - count.utf8.count))\(count)  ")
      let length = max((row.count * room + most / 2) / most, 1)
      bytes.append(String(repeating: "█", count: length) + "\n")
    }
    return bytes
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }

  private func json(_ rows: [Row], _ result: RunResult) -> [UInt8] {
    var json = JSONWriter(capacity: rows.count * 60 + 1000)
    if format == .json {
      json.beginObject()
      json.key("counts")
      json.beginArray()
    }
    for row in rows {
      json.beginObject()
      json.key(key.rawValue)
      json.visibleString(row.name)
      json.member("count", row.count)
      json.endObject()
      if format == .ndjson { json.newline() }
    }
    if format == .json { json.endArray() } else { json.beginObject() }
    json.closingMembers(of: result)
    json.endObject()
    json.newline()
    return json.bytes
  }

  private func table(
    _ rows: [Row], _ result: RunResult, _ dialect: TablePrinter.Dialect
  ) -> [UInt8] {
    var table = TableRow(dialect)
    table.append(["record", key.rawValue, "count", "source", "tags", "outcome", "message"])
    for row in rows { table.append(["count", row.name, String(row.count), "", "", "", ""]) }
    for outcome in result.missing {
      table.append([
        "outcome", "", "", outcome.source.rawValue, outcome.tag,
        OutcomeDetails(outcome.ending).name.rawValue, SummaryLines.words(for: outcome),
      ])
    }
    return table.bytes
  }

  private func plain(_ rows: [Row], _ result: RunResult) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in rows {
      bytes.append("\(row.count)\t")
      CellText.append(escaping: CellText.visible(row.name), to: &bytes)
      bytes.append("\n")
    }
    return bytes + PlainPrinter().ending(of: result)
  }

  private func markdown(_ rows: [Row], _ result: RunResult) -> [UInt8] {
    var text = MarkdownText()
    text.bytes.append("| \(key.rawValue) | posts |\n| --- | ---: |\n")
    for row in rows {
      text.bytes.append("| ")
      text.line(row.name)
      text.bytes.append(" | \(row.count) |\n")
    }
    return text.bytes + MarkdownPrinter().ending(of: result)
  }
}
