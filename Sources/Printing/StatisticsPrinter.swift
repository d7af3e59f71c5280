package import SearchModel
internal import TextFormats

/// Prints posts counted by several properties: with bars for people, or as rows and objects for programs.
package struct StatisticsPrinter: PostPrinter {
  /// A value of a property with its number of posts.
  package struct Row: Hashable, Sendable {
    package var name: String
    package var posts: Int

    package init(name: String, posts: Int) { (self.name, self.posts) = (name, posts) }
  }

  /// The counts by one property.
  package struct Section: Hashable, Sendable {
    package var name: String
    package var rows: [Row]
    /// The most rows that people are shown who do not ask for a number; nil for all.
    package var usual: Int?

    package init(_ name: String, _ rows: [Row], usual: Int?) {
      (self.name, self.rows, self.usual) = (name, rows, usual)
    }
  }

  /// The formats that counts can be printed in.
  package static let formats: [OutputFormat] = [
    .text, .plain, .json, .ndjson, .csv, .tsv, .markdown, .html,
  ]

  private static let longestBar = 40

  private let posts: Int
  private let sections: [Section]
  private let format: OutputFormat
  private let columns: Int
  private let cells: CellMarking

  /// - Parameters:
  ///   - posts: The number of posts.
  ///   - most: The most rows of each section; nil for the usual number.
  ///   - format: One of `formats`; any other prints as text.
  ///   - columns: The width of text.
  package init(
    _ posts: Int, _ sections: [Section], most: Int?, as format: OutputFormat, columns: Int,
    cells: CellMarking = .marked
  ) {
    self.posts = posts
    self.format = format
    self.columns = columns
    self.cells = cells
    self.sections = sections.map { section in
      var section = section
      let usual = format.isText ? section.usual : nil
      section.rows = Array(section.rows.prefix(most ?? usual ?? .max))
      return section
    }
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] { [] }

  package func ending(of result: RunResult) -> [UInt8] {
    switch format {
    case .json, .ndjson: json
    case .csv: table(.csv)
    case .tsv: table(.tsv)
    case .plain: plain
    case .markdown: markdown
    case .html: html
    case .text, .atom, .jsonfeed, .github: text
    }
  }

  private var text: [UInt8] {
    var text = "\(Plural.count(posts, "post"))\n"
    for section in sections where !section.rows.isEmpty {
      let names = section.rows.map { ControlCodes.strippedToLine($0.name) }
      let nameWidth = (names + [section.name]).map(DisplayWidth.columns).max() ?? 0
      let most = section.rows.map(\.posts).max() ?? 1
      let countWidth = max("\(most)".utf8.count, "POSTS".utf8.count)
      let room = max(min(columns - nameWidth - countWidth - 4, Self.longestBar), 1)
      text += "\n" + padded(section.name.uppercased(), nameWidth) + "  POSTS\n"
      for (name, row) in zip(names, section.rows) {
        let bar = String(repeating: "█", count: max(row.posts * room / max(most, 1), 1))
        text += padded(name, nameWidth) + "  " + padded("\(row.posts)", countWidth) + "  \(bar)\n"
      }
    }
    return Array(text.utf8)
  }

  private func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(columns - DisplayWidth.columns(of: text), 0))
  }

  private var json: [UInt8] {
    var json = JSONWriter(capacity: 1 << 12)
    json.beginObject()
    json.member("posts", posts)
    for section in sections {
      json.key("\(section.name)s")
      json.beginObject()
      for row in section.rows.sorted(by: { $0.name < $1.name }) {
        json.key(row.name)
        json.integer(row.posts)
      }
      json.endObject()
    }
    json.endObject()
    json.newline()
    return json.bytes
  }

  private func table(_ dialect: TablePrinter.Dialect) -> [UInt8] {
    var table = TableRow(dialect, cells)
    table.append(["by", "name", "posts"])
    for section in sections {
      for row in section.rows { table.append([section.name, row.name, "\(row.posts)"]) }
    }
    return table.bytes
  }

  private var plain: [UInt8] {
    var bytes: [UInt8] = []
    for section in sections {
      for row in section.rows {
        bytes.append("\(row.posts)\t\(section.name)\t")
        CellText.append(escaping: CellText.visible(row.name), to: &bytes)
        bytes.append("\n")
      }
    }
    return bytes
  }

  private var markdown: [UInt8] {
    var text = MarkdownText()
    text.bytes.append("# \(Plural.count(posts, "post"))\n")
    for section in sections where !section.rows.isEmpty {
      text.bytes.append("\n| \(section.name) | posts |\n| --- | ---: |\n")
      for row in section.rows {
        text.bytes.append("| ")
        text.line(row.name)
        text.bytes.append(" | \(row.posts) |\n")
      }
    }
    return text.bytes
  }

  /// A page of tables, which loads nothing and runs nothing.
  private var html: [UInt8] {
    var html: [UInt8] = []
    let title = Plural.count(posts, "post")
    HTMLHead(title: title, policy: "default-src 'none'").append(to: &html)
    html.append("<h1>\(title)</h1>\n")
    for section in sections where !section.rows.isEmpty {
      html.append("<table>\n<tr><th>\(section.name)</th><th>posts</th></tr>\n")
      for row in section.rows {
        html.append("<tr><td dir=\"auto\">")
        Markup.append(row.name, to: &html)
        html.append("</td><td align=\"right\">\(row.posts)</td></tr>\n")
      }
      html.append("</table>\n")
    }
    html.append("</body>\n</html>\n")
    return html
  }
}

extension OutputFormat {
  /// True if it is laid out with bars.
  fileprivate var isText: Bool { self == .text }
}
