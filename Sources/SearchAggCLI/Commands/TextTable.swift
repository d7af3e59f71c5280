internal import TextFormats

/// A table for people: columns as wide as what stands in them, but for the last; a column that would be
/// empty is left out.
struct TextTable {
  /// The heading of each column with its cells, of which there are as many in each.
  var columns: [[String]]

  /// The table, a line break behind each line; no cell breaks it or steers the terminal.
  var text: String {
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
