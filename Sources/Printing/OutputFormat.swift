/// The formats that `--format` takes; the raw value is the name there.
package enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  case text
  case plain
  case json
  case ndjson
  case csv
  case tsv

  /// What a format is for, in a line of help.
  package var summary: String {
    switch self {
    case .text: "for people: wrapped and colored on a terminal"
    case .plain: "one line for each post, its parts separated by TABs"
    case .json: "one JSON object with all posts and outcomes"
    case .ndjson: "one JSON object per line: each post, then the outcomes"
    case .csv: "a table for spreadsheets and databases (RFC 4180)"
    case .tsv: "the same table, separated by TABs"
    }
  }

  /// Whether programs read the format, so that its fields can be chosen.
  package var isForPrograms: Bool {
    switch self {
    case .json, .ndjson, .csv, .tsv: true
    case .text, .plain: false
    }
  }

  /// Returns the printer of this format; only `text` looks at the style, and only formats for programs
  /// at the fields.
  package func printer(style: TextStyle, fields: FieldSelection = .all) -> any PostPrinter {
    switch self {
    case .text: TextPrinter(style: style)
    case .plain: PlainPrinter()
    case .json: JSONPrinter(fields: fields)
    case .ndjson: NDJSONPrinter(fields: fields)
    case .csv: TablePrinter(.csv, fields: fields)
    case .tsv: TablePrinter(.tsv, fields: fields)
    }
  }
}
