/// Reads CSV by RFC 4180, to check what is written.
enum TableReader {
  static func rows(ofCSV text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        cell.unicodeScalars.append(scalar)
        scalars.removeFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(cell)
        cell = ""
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars.removeFirst()
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  static func rows(ofTSV text: String) -> [[String]] {
    text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped)
    }
  }

  static func unescaped(_ cell: Substring) -> String {
    var text = ""
    var rest = cell
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch next {
      case "t": text += "\t"
      case "r": text += "\r"
      case "n": text += "\n"
      default: text.append(next)
      }
    }
    return text
  }

  /// A cell without the mark that keeps spreadsheets from running it.
  static func unmarked(_ cell: String) -> String {
    cell.hasPrefix("'") ? String(cell.dropFirst()) : cell
  }
}
