/// Breaks text into lines that fit a number of columns.
package enum Wrapping {
  /// Returns the lines of a text, without blanks at their ends.
  ///
  /// Existing line breaks are kept. Lines break at blanks and next to wide characters, which need no
  /// blank between them; a word is broken only if it is longer than a line.
  package static func lines(of text: String, columns: Int) -> [Substring] {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      append(line, columns: max(columns, 2), to: &lines)
    }
    return lines
  }

  /// Returns a text on lines that fit, all but the first with an indent.
  ///
  /// Lines break at blanks only, so that an address wider than a line can still be copied as a whole.
  package static func hanging(_ text: String, columns: Int, indent: Int = 4) -> String {
    var wrapped = ""
    var used = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let width = DisplayWidth.columns(of: String(word))
      if used > indent, used + 1 + width > columns {
        wrapped += "\n" + String(repeating: " ", count: indent) + word
        used = indent + width
      } else {
        wrapped += used == 0 ? String(word) : " \(word)"
        used += used == 0 ? width : width + 1
      }
    }
    return wrapped
  }

  private static func append(
    _ text: Substring, columns: Int, to lines: inout [Substring]
  ) {
    var start = text.startIndex
    var width = 0
    /// A place where the line may end, the start of the next line, and the columns up to it.
    var chance: (end: Substring.Index, next: Substring.Index, width: Int)?
    var wasWide = false
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      let size = DisplayWidth.columns(of: character)
      if character == " " {
        // At a run of blanks the line ends before the first, and the next begins after the last.
        let isRun = chance.map { $0.next == index && $0.end < index } ?? false
        width += size
        chance = (isRun ? chance?.end ?? index : index, next, width)
        wasWide = false
        index = next
        continue
      }
      let isWide = DisplayWidth.isWide(character)
      if isWide || wasWide, index > start, chance?.next != index, !closing.contains(character) {
        chance = (index, index, width)
      }
      if width + size > columns, index > start {
        let place = chance ?? (index, index, width)
        lines.append(trimmed(text[start..<place.end]))
        start = place.next
        width -= place.width
        chance = nil
        // Check again: the text carried over may be as long as a line.
        continue
      }
      width += size
      wasWide = isWide
      index = next
    }
    lines.append(trimmed(text[start...]))
  }

  /// Characters that must not begin a line (the most common of JIS X 4051).
  private static let closing: Set<Character> = [
    "、", "。", "，", "．", "：", "；", "！", "？", "）", "」", "』", "】", "〉", "》", "〕", "］", "｝",
    "ー", "…", ",", ".", ":", ";", "!", "?", ")", "]", "}",
  ]

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
