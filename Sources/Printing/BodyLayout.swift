internal import SearchModel
internal import TextFormats

/// The layout of a post's text on a terminal: lines that fit, with links and the words that were searched.
struct BodyLayout {
  /// A line without control codes.
  struct Line {
    enum Emphasis: Hashable {
      /// An address, with its whole target.
      case link(String)
      /// A word of a query.
      case match
    }

    let text: String
    /// The emphasized parts, from left to right.
    let spans: [(range: Range<String.Index>, emphasis: Emphasis)]
  }

  /// The columns of a line.
  let columns: Int
  /// True if addresses can be shortened, as a link carries their target.
  let usesLinks: Bool
  let words: SoughtWords

  /// Returns the lines of a text, without the empty ones at its start and end.
  func lines(of text: String) -> [Line] {
    var lines: [Line] = []
    for paragraph in ControlCodes.stripped(text).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      append(String(paragraph), to: &lines)
    }
    while lines.last?.text.isEmpty == true { lines.removeLast() }
    return Array(lines.drop(while: \.text.isEmpty))
  }

  private func append(_ paragraph: String, to lines: inout [Line]) {
    let parts = Markup.parts(of: paragraph)
    let hasAddress = parts.contains { if case .address = $0 { true } else { false } }
    if !hasAddress {
      wrap(paragraph, to: &lines)
    } else if usesLinks {
      appendLinked(parts, to: &lines)
    } else {
      appendWhole(paragraph, to: &lines)
    }
  }

  private func wrap(_ text: some StringProtocol, to lines: inout [Line]) {
    for line in Wrapping.lines(of: String(text), columns: columns) {
      lines.append(self.line(String(line), links: []))
    }
  }

  /// Appends a paragraph whose addresses are links, shortened where they are wider than a line.
  private func appendLinked(_ parts: [Markup.Part], to lines: inout [Line]) {
    var text = ""
    var links: [(shown: String, target: String)] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .text(let words): text += words
      case .address(let address):
        // Punctuation beside an address stays on its line.
        var beside = text.utf8.reversed().prefix { $0 > 0x20 && $0 < 0x7F }.count
        if case .text(let next)? = parts.dropFirst(index + 1).first {
          beside += next.utf8.prefix { $0 > 0x20 && $0 < 0x7F }.count
        }
        let room = max(columns - beside, Self.shortestLink)
        let shown =
          address.utf8.count > room ? "\(address.prefix(room - 1))…" : String(address)
        links.append((shown, String(address)))
        text += shown
      }
    }
    var waiting = links[...]
    for line in Wrapping.lines(of: text, columns: columns) {
      let line = String(line)
      var found: [(Range<String.Index>, String)] = []
      var start = line.startIndex
      while let link = waiting.first, let range = line[start...].firstRange(of: link.shown) {
        found.append((range, link.target))
        start = range.upperBound
        waiting.removeFirst()
      }
      lines.append(self.line(line, links: found))
    }
  }

  /// Returns a line with its links, and with the words that are not part of an address.
  private func line(_ text: String, links: [(Range<String.Index>, target: String)]) -> Line {
    var taken = links.map(\.0)
    if links.isEmpty, text.contains("://") {
      var rest = text[...]
      while let range = Markup.addressRange(in: rest) {
        taken.append(range)
        rest = rest[range.upperBound...]
      }
    }
    let matches = words.ranges(in: text).filter { range in !taken.contains { $0.overlaps(range) } }
    let spans: [(Range<String.Index>, Line.Emphasis)] =
      links.map { ($0.0, .link($0.target)) } + matches.map { ($0, .match) }
    return Line(text: text, spans: spans.sorted { $0.0.lowerBound < $1.0.lowerBound })
  }

  /// Appends a paragraph whose addresses stay whole: one that is wider than a line gets its own.
  private func appendWhole(_ paragraph: String, to lines: inout [Line]) {
    // What is not laid out yet begins here.
    var start = paragraph.startIndex
    var rest = paragraph[...]
    while let range = Markup.addressRange(in: rest) {
      let run = rest.utf8[range.lowerBound...].prefix { $0 > 0x20 && $0 < 0x7F }
      rest = rest[run.endIndex...]
      guard run.count > columns else { continue }
      wrapUnlessBlank(paragraph[start..<range.lowerBound], to: &lines)
      lines.append(Line(text: String(paragraph[range.lowerBound..<run.endIndex]), spans: []))
      rest = rest.drop { $0 == " " }
      start = rest.startIndex
    }
    wrapUnlessBlank(paragraph[start...], to: &lines)
  }

  private func wrapUnlessBlank(_ text: Substring, to lines: inout [Line]) {
    if !text.allSatisfy(\.isWhitespace) { wrap(text, to: &lines) }
  }

  private static let shortestLink = 12
}

/// The words of the queries that found a post.
struct SoughtWords: Hashable {
  /// Each in lower case, as characters.
  private let words: [[String]]

  init(tags: [String]) {
    let terms = tags.compactMap { Query($0) }.flatMap(\.terms)
    let texts = terms.filter(\.isSoughtText)
      .flatMap { $0.value.split(separator: " ") }
    words = Array(Set(texts.map { $0.map { $0.lowercased() } })).filter { !$0.isEmpty }
  }

  /// Returns where the words are in a line, from left to right, as whole words in any case.
  func ranges(in line: String) -> [Range<String.Index>] {
    guard !words.isEmpty, !line.isEmpty else { return [] }
    let indices = Array(line.indices) + [line.endIndex]
    let characters = line.map { $0.lowercased() }
    var ranges: [Range<String.Index>] = []
    var place = 0
    while place < characters.count {
      let length = words.filter { isWord($0, at: place, of: characters) }.map(\.count).max()
      if let length { ranges.append(indices[place]..<indices[place + length]) }
      place += length ?? 1
    }
    return ranges
  }

  private func isWord(_ word: [String], at place: Int, of line: [String]) -> Bool {
    let end = place + word.count
    guard end <= line.count, line[place..<end].elementsEqual(word) else { return false }
    if place > 0, Self.joins(line[place - 1], line[place]) { return false }
    return end == line.count || !Self.joins(line[end - 1], line[end])
  }

  /// True if two characters belong to one word, in scripts that have spaces between words.
  private static func joins(_ one: String, _ other: String) -> Bool {
    isSpaced(one) && isSpaced(other)
  }

  private static func isSpaced(_ text: String) -> Bool {
    guard let character = text.first, character.isLetter || character.isNumber || character == "_",
      let value = character.unicodeScalars.first?.value
    else { return false }
    // Thai, Lao, Myanmar and Khmer, and everything wide, have none.
    let isUnspaced = [0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF].contains {
      $0.contains(value)
    }
    return !isUnspaced && !DisplayWidth.isWide(character)
  }
}
