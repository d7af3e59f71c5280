/// The formats that `--format` takes; the raw value is the name there.
package enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  case text, plain
  case json, ndjson
  case csv, tsv
  case markdown, html
  case atom, jsonfeed
  case github

  /// The purpose of a format, in a line of help.
  package var summary: String {
    switch self {
    case .text: "for people: wrapped and colored on a terminal"
    case .plain: "one line for each post, its parts separated by TABs"
    case .json: "one JSON object with all posts and outcomes"
    case .ndjson: "one JSON object per line: each post, then the outcomes"
    case .csv: "a table for spreadsheets and databases (RFC 4180)"
    case .tsv: "the same table, separated by TABs"
    case .markdown: "a digest by day"
    case .html: "one page with filters, which loads pictures only when they are clicked"
    case .atom: "a feed for any reader (RFC 4287)"
    case .jsonfeed: "a feed in JSON (version 1.1)"
    case .github: "annotations and a job summary for GitHub Actions"
    }
  }

  /// The format that the name of a file ends in, such as `.csv`; nil for any other end.
  package init?(nameOfFile path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "csv": self = .csv
    case "tsv": self = .tsv
    case "html": self = .html
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "md": self = .markdown
    case "atom": self = .atom
    default: return nil
    }
  }

  /// True if it is read as it is, and neither stored as a page nor read by a program.
  package var isForReading: Bool {
    switch self {
    case .text, .plain: true
    case .json, .ndjson, .csv, .tsv, .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }

  /// True if the fields of posts can be chosen.
  package var hasFields: Bool {
    switch self {
    case .json, .ndjson, .csv, .tsv: true
    case .text, .plain, .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }

  /// True if posts can be printed before the run has ended.
  package var canStream: Bool {
    switch self {
    case .text, .plain, .json, .ndjson, .csv, .tsv: true
    // These begin with what is known only at the end.
    case .markdown, .html, .atom, .jsonfeed, .github: false
    }
  }

  /// Returns the printer of this format; only `text` looks at the style, and only formats that have
  /// fields at the contents.
  package func printer(
    style: TextStyle, contents: RecordContents = RecordContents()
  ) -> any PostPrinter {
    switch self {
    case .text: TextPrinter(style: style)
    case .plain: PlainPrinter()
    case .json: JSONPrinter(contents)
    case .ndjson: NDJSONPrinter(contents)
    case .csv: TablePrinter(.csv, contents)
    case .tsv: TablePrinter(.tsv, contents)
    case .markdown: MarkdownPrinter()
    case .html: HTMLPrinter()
    case .atom: AtomPrinter()
    case .jsonfeed: JSONFeedPrinter()
    case .github: GitHubPrinter()
    }
  }
}
