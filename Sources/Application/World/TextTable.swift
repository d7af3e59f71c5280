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

  /// The table for a screen of some columns, on which the last cell of a row that is too long is wrapped;
  /// nil for no screen.
  package func text(columns screen: Int?) -> String {
    var text = ""
    Self.write(rows: columns.first?.count ?? 0, within: screen) {
      text += $0
    } cells: { row in
      columns.map { $0[row] }
    }
    return text
  }

  /// Writes a table line by line. No row is kept.
  ///
  /// - Parameters:
  ///   - rows: The number of rows, of which the first has the headings.
  ///   - screen: The columns of the screen, for which long rows are broken; nil for none.
  ///   - cells: Returns the cells of a row; called twice for each.
  // A collection as a parameter would make the runtime build its types, which takes longer than a short
  // list.
  package static func write<Failure: Error>(
    rows: Int, within screen: Int? = nil, _ write: (String) throws(Failure) -> Void,
    cells: (Int) -> [String]
  ) throws(Failure) {
    guard rows > 0 else { return }
    let headings = cells(0).map(ControlCodes.strippedToLine)
    var widths = headings.map(DisplayWidth.columns)
    var isFilled = headings.map { _ in false }
    for row in 1..<rows {
      for (column, cell) in cells(row).enumerated() {
        let cell = ControlCodes.strippedToLine(cell)
        guard !cell.isEmpty else { continue }
        isFilled[column] = true
        widths[column] = max(widths[column], DisplayWidth.columns(of: cell))
      }
    }
    // A column that would be empty is left out.
    guard let last = isFilled.lastIndex(of: true) else { return }
    let margin = (0..<last).reduce(0) { $0 + (isFilled[$1] ? widths[$1] + 2 : 0) }
    for row in 0..<rows {
      var line = ""
      for (column, cell) in cells(row).enumerated() where isFilled[column] {
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
