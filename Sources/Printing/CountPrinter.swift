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

  /// The most properties to count by at once.
  package static let mostKeys = 2

  private let keys: [Key]
  private let format: OutputFormat
  private let style: TextStyle

  /// - Parameters:
  ///   - keys: One property, or two to count each combination of them.
  ///   - format: One of `formats`; any other prints as text.
  package init(_ keys: [Key], as format: OutputFormat, style: TextStyle) {
    self.keys = keys
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

  /// A value of a property: handles are unique on one network only.
  private struct Value: Hashable {
    var name: String
    var source: SourceName?

    /// The name as people and JSON are given it.
    var shown: String { source.map { "\(name) (\($0))" } ?? name }
  }

  private typealias Row = (values: [Value], count: Int)

  /// Returns the counts in groups of the first property: the largest first, or the latest first for days
  /// and hours.
  private func rows(of posts: ArraySlice<Post>) -> [Row] {
    var counts: [[Value]: Int] = [:]
    var totals: [Value: Int] = [:]
    for index in posts.indices {
      for values in combinations(of: posts[index]) {
        counts[values, default: 0] += 1
        totals[values[0], default: 0] += 1
      }
    }
    return counts.map { (values: $0.key, count: $0.value) }.sorted { one, other in
      if one.values[0] != other.values[0] {
        return comesFirst(
          keys[0], (one.values[0], totals[one.values[0]] ?? 0),
          (other.values[0], totals[other.values[0]] ?? 0))
      }
      let last = keys.count - 1
      return comesFirst(
        keys[last], (one.values[last], one.count), (other.values[last], other.count))
    }
  }

  private func comesFirst(
    _ key: Key, _ one: (value: Value, count: Int), _ other: (value: Value, count: Int)
  ) -> Bool {
    if key == .day || key == .hour { return Self.isLater(one.value.name, other.value.name) }
    return (other.count, one.value.shown) < (one.count, other.value.shown)
  }

  /// Each combination of a post's values.
  private func combinations(of post: borrowing Post) -> [[Value]] {
    var combinations: [[Value]] = [[]]
    for key in keys {
      let values = values(of: key, in: post)
      combinations = combinations.flatMap { start in values.map { start + [$0] } }
    }
    return combinations
  }

  private static let undated = "undated"

  private static func isLater(_ one: String, _ other: String) -> Bool {
    if one == undated || other == undated { return other == undated && one != undated }
    return one > other
  }

  /// Returns what a post counts for; dates are those of UTC.
  private func values(of key: Key, in post: borrowing Post) -> [Value] {
    switch key {
    case .network: return [Value(name: post.source.rawValue)]
    case .author:
      let isForPeople = format == .text || format == .markdown
      let handle = isForPeople ? post.author.shownHandle ?? "" : post.author.handle
      let name = handle.isEmpty ? post.author.name ?? "unknown" : "@\(handle)"
      return [Value(name: name, source: post.source)]
    case .tag: return post.tags.map { Value(name: $0) }
    case .language: return [Value(name: LanguageTag.primary(post.language) ?? "unknown")]
    case .day, .hour:
      guard let date = post.createdAt, RFC3339.canWrite(date) else {
        return [Value(name: Self.undated)]
      }
      let text = RFC3339.format(date)
      return [Value(name: key == .day ? String(text.prefix(10)) : "\(text.prefix(13)):00Z")]
    }
  }

  /// `mastodon  310  ██████████`, as wide as the terminal.
  private func bars(_ rows: [Row]) -> [UInt8] {
    let columns = style.columns ?? 80
    let shown = rows.map { row in
      (
        name: Ellipsis.truncate(
          ControlCodes.strippedToLine(row.values.map(\.shown).joined(separator: "  ")),
          to: columns / 2),
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
      for (key, value) in zip(keys, row.values) {
        json.key(key.rawValue)
        json.visibleString(value.shown)
      }
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
    table.append(
      ["record"] + keys.map(\.rawValue) + ["count", "source", "tags", "outcome", "message"])
    for row in rows {
      let source = row.values.compactMap(\.source).first?.rawValue ?? ""
      table.append(
        ["count"] + row.values.map(\.name) + [String(row.count), source, "", "", ""])
    }
    for outcome in result.missing {
      table.append(
        ["outcome"] + keys.map { _ in "" } + [
          "", outcome.source.rawValue, outcome.tag,
          OutcomeDetails(outcome.ending).name.rawValue, SummaryLines.words(for: outcome),
        ])
    }
    return table.bytes
  }

  private func plain(_ rows: [Row], _ result: RunResult) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in rows {
      bytes.append("\(row.count)")
      for value in row.values {
        bytes.append("\t")
        CellText.append(escaping: CellText.visible(value.shown), to: &bytes)
      }
      bytes.append("\n")
    }
    return bytes + PlainPrinter().ending(of: result)
  }

  private func markdown(_ rows: [Row], _ result: RunResult) -> [UInt8] {
    var text = MarkdownText()
    text.bytes.append("| \(keys.map(\.rawValue).joined(separator: " | ")) | posts |\n")
    text.bytes.append("| \(keys.map { _ in "---" }.joined(separator: " | ")) | ---: |\n")
    for row in rows {
      for value in row.values {
        text.bytes.append("| ")
        text.line(value.shown)
        text.bytes.append(" ")
      }
      text.bytes.append("| \(row.count) |\n")
    }
    return text.bytes + MarkdownPrinter().ending(of: result)
  }
}
