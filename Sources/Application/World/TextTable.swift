internal import TextFormats

/// A table for people: each column but the last is as wide as its widest cell, and empty columns are
/// left out.
package struct TextTable {
  /// The heading of each column with its cells; all columns have the same number.
  private let columns: [[String]]

  package init(columns: [[String]]) { self.columns = columns }

  /// The narrowest last column that is worth keeping beside the others.
  private static let narrowest = 16

  /// The table, a line break after each line; control characters are removed from cells.
  package var text: String { text(columns: nil) }

  /// The table for a screen of some columns, where the last cell of a row that is too long goes on below,
  /// broken at blanks; nil for no screen.
  package func text(columns screen: Int?) -> String {
    var text = ""
    let rows = columns.first.map(\.indices) ?? 0..<0
    Self.write(rows: rows.lazy.map { row in columns.map { $0[row] } }, within: screen) {
      text += $0
    }
    return text
  }

  /// Writes a table line by line. The rows, of which the first has the headings, are read twice, and none
  /// is kept.
  ///
  /// - Parameter screen: The columns of the screen, for which long rows are broken; nil for none.
  package static func write<Failure: Error>(
    rows: some Collection<[String]>, within screen: Int? = nil,
    _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    guard let headings = rows.first?.map(ControlCodes.strippedToLine) else { return }
    var widths = headings.map(DisplayWidth.columns)
    var isFilled = headings.map { _ in false }
    for row in rows.dropFirst() {
      for (column, cell) in row.enumerated() {
        let cell = ControlCodes.strippedToLine(cell)
        guard !cell.isEmpty else { continue }
        isFilled[column] = true
        widths[column] = max(widths[column], DisplayWidth.columns(of: cell))
      }
    }
    // A column that would be empty is left out.
    guard let last = isFilled.lastIndex(of: true) else { return }
    let margin = (0..<last).reduce(0) { $0 + (isFilled[$1] ? widths[$1] + 2 : 0) }
    for row in rows {
      var line = ""
      for (column, cell) in row.enumerated() where isFilled[column] {
        let cell = ControlCodes.strippedToLine(cell)
        line += cell
        guard column < last else { continue }
        line += String(repeating: " ", count: widths[column] - DisplayWidth.columns(of: cell) + 2)
      }
      if let screen {
        let indent = screen - margin >= narrowest ? margin : 4
        line = Wrapping.hanging(line, columns: screen, indent: indent)
      }
      try write(line + "\n")
    }
  }
}
