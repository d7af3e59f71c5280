internal import TextFormats

/// A table for people: each column but the last is as wide as its widest cell, and empty columns are
/// left out.
package struct TextTable {
  /// The heading of each column with its cells; all columns have the same number.
  private let columns: [[String]]

  package init(columns: [[String]]) { self.columns = columns }

  /// The table, a line break after each line; control characters are removed from cells.
  package var text: String {
    let shown = columns.map { $0.map(ControlCodes.strippedToLine) }
      .filter { !$0.dropFirst().allSatisfy(\.isEmpty) }
    guard let last = shown.last else { return "" }
    let widths = shown.map { $0.map(DisplayWidth.columns).max() ?? 0 }
    var text = ""
    for row in last.indices {
      for (column, width) in zip(shown.dropLast(), widths) {
        let padding = width - DisplayWidth.columns(of: column[row]) + 2
        text += column[row] + String(repeating: " ", count: padding)
      }
      text += last[row] + "\n"
    }
    return text
  }
}
