internal import FoundationEssentials
package import SearchModel
internal import TextFormats

/// Prints a table: a header, a row for each post, and a row for each search that was not completed.
///
/// The first column, `record`, tells the two kinds of rows apart. Lists take a line of the cell for each
/// value. Columns of later versions are the last ones, after those of outcomes, so that no column moves.
package struct TablePrinter: PostPrinter {
  package enum Dialect: Sendable {
    /// RFC 4180: quotation marks around cells that need them, CR LF at the end of rows.
    case csv
    /// TABs between cells; `\`, TAB, CR and LF are escaped as `\\`, `\t`, `\r` and `\n`.
    case tsv
  }

  /// The columns before those of outcomes, of which none may ever move: the most useful ones first, as
  /// spreadsheets show only a few.
  private static let order: [PostField] = [
    .createdAt, .source, .server, .authorHandle, .title, .text, .url, .tags, .id, .uri,
    .authorName, .authorURL, .future, .editedAt, .language, .links, .media, .likes, .reposts,
    .replies, .views, .replyTo, .repostOf, .reposterHandle, .reposterName, .reposterURL,
    .sensitive, .contentWarning, .poll, .also, .visibility,
  ]

  /// The columns after those of outcomes: every field of a later version.
  private static let added: [PostField] = {
    let first: [PostField] = [.attachments, .topics]
    return first + PostField.printed.filter { !order.contains($0) && !first.contains($0) }
  }()

  private let dialect: Dialect
  private let columns: [PostField]
  private let lastColumns: [PostField]
  private let contents: RecordContents

  package init(_ dialect: Dialect, _ contents: RecordContents = RecordContents()) {
    self.dialect = dialect
    self.contents = contents
    columns = contents.fields.order ?? Self.order.filter(contents.fields.contains)
    lastColumns =
      contents.fields.order == nil ? Self.added.filter(contents.fields.contains) : []
  }

  package func beginning(of result: RunResult) -> [UInt8] {
    var row = TableRow(dialect)
    if !contents.isPostsOnly { row.cell("record") }
    for column in columns { row.cell(column.description.column) }
    if !contents.isPostsOnly {
      row.cell("outcome")
      row.cell("message")
    }
    for column in lastColumns { row.cell(column.description.column) }
    row.end()
    return row.bytes
  }

  package func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8] {
    var row = TableRow(dialect, contents.cells)
    row.bytes.reserveCapacity(posts.count * 600)
    posts.readEach(askingAhead: true) { post in
      if !contents.isPostsOnly { row.cell("post") }
      for column in columns { row.cell(column.value(in: post)) }
      if !contents.isPostsOnly {
        row.cell("")
        row.cell("")
      }
      for column in lastColumns { row.cell(column.value(in: post)) }
      row.end()
    }
    return row.bytes
  }

  package func ending(of result: RunResult) -> [UInt8] {
    guard !contents.isPostsOnly else { return [] }
    var row = TableRow(dialect, contents.cells)
    for outcome in result.missing {
      row.cell("outcome")
      for column in columns {
        switch column {
        case .source: row.cell(outcome.source.rawValue)
        case .server: row.cell(outcome.server?.text ?? "")
        case .tags: row.cell(outcome.tag)
        default: row.cell("")
        }
      }
      row.cell(OutcomeDetails(outcome.ending).name.rawValue)
      row.cell(SummaryLines.words(for: outcome))
      for _ in lastColumns { row.cell("") }
      row.end()
    }
    return row.bytes
  }
}

/// The rows of a table under construction.
struct TableRow {
  var bytes: [UInt8] = []
  private let dialect: TablePrinter.Dialect
  private let marking: CellMarking
  private var isEmpty = true

  init(_ dialect: TablePrinter.Dialect, _ marking: CellMarking = .marked) {
    self.dialect = dialect
    self.marking = marking
  }

  /// Appends a whole row.
  mutating func append(_ cells: [String]) {
    for text in cells { cell(text) }
    end()
  }

  mutating func end() {
    bytes.append(dialect == .csv ? "\r\n" : "\n")
    isEmpty = true
  }

  mutating func cell(_ value: PostField.Value?) {
    switch value {
    case nil: cell("")
    case .string(let text): cell(text)
    case .date(let date): cell(RFC3339.format(date))
    case .integer(let number): cell(String(number))
    case .boolean(let value): cell(value ? "true" : "false")
    case .list(let texts): cell(texts.joined(separator: "\n"))
    }
  }

  mutating func cell(_ text: String) {
    if !isEmpty { bytes.append(dialect == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
    isEmpty = false
    guard !text.isEmpty else { return }
    let isMarked = marking == .marked && Formula.needsMark(text)
    // As most cells are.
    if !isMarked, text.utf8.allSatisfy(Self.isPlain) { return bytes.append(text) }
    var cell = CellText.visible(text)
    if isMarked || marking == .marked && Formula.needsMark(String(decoding: cell, as: UTF8.self)) {
      cell.insert(UInt8(ascii: "'"), at: 0)
    }
    switch dialect {
    case .csv: appendQuoted(cell)
    case .tsv: CellText.append(escaping: cell, to: &bytes)
    }
  }

  /// True if a byte is visible ASCII that no dialect escapes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
      && byte != UInt8(ascii: "\\")
  }

  private mutating func appendQuoted(_ cell: [UInt8]) {
    let needsQuotes = cell.contains { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0D || byte == 0x0A
    }
    guard needsQuotes else {
      bytes.append(contentsOf: cell)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// The text of cells in formats of lines and columns.
enum CellText {
  /// Returns a remote text as UTF-8 without control codes, except for TABs and line breaks.
  static func visible(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 1)
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0D }) else {
      ControlCodes.append(text, isSingleLine: false, to: &bytes)
      return bytes
    }
    // What lies between TABs and CRs is stripped as for a terminal.
    var rest = text.utf8[...]
    while let index = rest.firstIndex(where: { $0 == 0x09 || $0 == 0x0D }) {
      ControlCodes.append(String(text[rest.startIndex..<index]), isSingleLine: false, to: &bytes)
      bytes.append(rest[index])
      rest = rest[rest.index(after: index)...]
    }
    ControlCodes.append(String(text[rest.startIndex...]), isSingleLine: false, to: &bytes)
    return bytes
  }

  /// Appends a cell on one line: `\`, TAB, CR and LF become two characters each.
  static func append(escaping cell: [UInt8], to bytes: inout [UInt8]) {
    for byte in cell {
      switch byte {
      case UInt8(ascii: "\\"): bytes.append(#"\\"#)
      case 0x09: bytes.append(#"\t"#)
      case 0x0D: bytes.append(#"\r"#)
      case 0x0A: bytes.append(#"\n"#)
      default: bytes.append(byte)
      }
    }
  }
}
