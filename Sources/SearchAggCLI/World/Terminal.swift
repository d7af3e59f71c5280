/// What a stream's terminal can do.
package struct Terminal: Sendable, Hashable {
  /// Columns of a line; `COLUMNS` goes before what the terminal says.
  package var columns: Int
  /// Whether it is more than `TERM=dumb`.
  package var isCapable: Bool

  package init(columns: Int, isCapable: Bool) {
    self.columns = columns
    self.isCapable = isCapable
  }
}
