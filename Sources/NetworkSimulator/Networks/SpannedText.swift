/// A text with the ranges of its links, hashtags and mentions.
struct SpannedText: Sendable {
  /// The unit of offsets.
  enum Unit: Sendable {
    /// Unicode code points, as X counts over the escaped text.
    case codePoints
    /// Bytes of UTF-8, as Bluesky counts.
    case bytes
  }

  /// The way a network writes pieces of a text.
  struct Style: Sendable {
    let unit: Unit
    /// The characters that are written as entities.
    let escapes: [Unicode.Scalar: String]
    /// The text that represents a link.
    let link: @Sendable (String) -> String
  }

  struct Span: Sendable {
    let start: Int
    let end: Int
    let piece: TextPiece
  }

  private(set) var text = ""
  private(set) var spans: [Span] = []
  private(set) var length = 0
  private let style: Style

  init(_ pieces: [TextPiece], style: Style) {
    self.style = style
    for piece in pieces { append(piece) }
  }

  private mutating func append(_ piece: TextPiece) {
    let start = length
    switch piece {
    case .words, .lineBreak: write(escaped(piece.plain))
    case .hashtag, .mention:
      write(escaped(piece.plain))
      spans.append(Span(start: start, end: length, piece: piece))
    case .link(let address):
      write(style.link(address))
      spans.append(Span(start: start, end: length, piece: piece))
    }
  }

  private mutating func write(_ part: String) {
    text += part
    length += Self.count(part, style.unit)
  }

  private static func count(_ text: String, _ unit: Unit) -> Int {
    switch unit {
    case .codePoints: text.unicodeScalars.count
    case .bytes: text.utf8.count
    }
  }

  private func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { style.escapes[$0] != nil }) else { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += style.escapes[$1] ?? String($1) }
  }

  /// Returns the text cut to `limit` code points with an ellipsis, without what the cut has hit.
  func cut(to limit: Int) -> SpannedText {
    guard length > limit else { return self }
    var cut = self
    cut.text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    cut.length = limit
    cut.spans.removeAll { $0.end > limit - 1 }
    return cut
  }

  /// The spans that are hashtags, with their names.
  var hashtags: [(span: Span, name: String)] {
    spans.compactMap { if case .hashtag(let name) = $0.piece { ($0, name) } else { nil } }
  }

  var mentions: [(span: Span, author: CorpusAuthor)] {
    spans.compactMap { if case .mention(let author) = $0.piece { ($0, author) } else { nil } }
  }

  var links: [(span: Span, address: String)] {
    spans.compactMap { if case .link(let address) = $0.piece { ($0, address) } else { nil } }
  }
}
