internal import TextFormats

/// The contents of the formats for programs: `--fields`, `--posts-only` and `--cells`.
package struct RecordContents: Hashable, Sendable {
  package var fields: FieldSelection
  /// True if the outcomes of the searches are left out.
  package var isPostsOnly: Bool
  package var cells: CellMarking

  package init(
    fields: FieldSelection = .all, isPostsOnly: Bool = false, cells: CellMarking = .marked
  ) {
    self.fields = fields
    self.isPostsOnly = isPostsOnly
    self.cells = cells
  }
}

/// The treatment of cells that a spreadsheet would run.
package enum CellMarking: String, CaseIterable, Hashable, Sendable {
  /// They begin with a `'`, and so do cells that begin with one anyhow: a reader that removes one leading
  /// `'` gets every text back.
  case marked
  /// As they are.
  case raw
}

/// Tells which cells of a table need a mark in front of them.
///
/// Spreadsheets run more than `=1+1` (owasp.org/www-community/attacks/CSV_Injection): what begins with a
/// sign and is no number, and Lotus's `@SUM(A1)`. The replies of social networks, which begin with `@name`,
/// are no formulas.
enum Formula {
  /// Returns whether a spreadsheet would run a text, or take a `'` at its beginning for a mark.
  static func needsMark(_ text: String) -> Bool {
    // As most texts are: a letter.
    guard let first = text.utf8.first, !(0x41...0x5A).contains(first & 0xDF) else { return false }
    if first == UInt8(ascii: "'") || first == 0x09 || first == 0x0D { return true }
    let rest = text.drop(while: \.isWhitespace)
    switch rest.first {
    case "=", "\u{FF1D}": return true
    case "+", "-": return !isNumber(rest.dropFirst())
    case "@": return isCall(rest.dropFirst())
    default: return false
    }
  }

  /// `12`, `1.5`, `1,000`, `3e-5`, `10%`, without a sign.
  private static func isNumber(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    func skipDigits() -> Bool {
      let digits = rest.prefix { $0.isASCIIDigit }
      rest = rest[digits.endIndex...]
      return !digits.isEmpty
    }
    func skip(_ choices: String) -> Bool {
      guard let next = rest.first, choices.utf8.contains(next) else { return false }
      rest.removeFirst()
      return true
    }
    guard skipDigits() else { return false }
    while skip(".,") { guard skipDigits() else { return false } }
    if skip("eE") {
      _ = skip("+-")
      guard skipDigits() else { return false }
    }
    _ = skip("%")
    return rest.allSatisfy { $0 == 0x20 }
  }

  /// A name and a parenthesis: `SUM(`.
  private static func isCall(_ text: Substring) -> Bool {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
    return !name.isEmpty && text[name.endIndex...].first == "("
  }
}
