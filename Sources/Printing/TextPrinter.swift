package import SearchModel

/// Prints posts for people: a line on who, where and when, the text below it, the address last.
///
/// The outcomes are not in it: they are told on standard error (`SummaryLines`). Remote text is
/// stripped of control codes whether a terminal reads it or not.
package struct TextPrinter: PostPrinter {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  package func write<Fault: Error>(
    _ posts: [Post], outcomes: [SearchOutcome], isIncomplete: Bool,
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    var composer = TextComposer(style: style)
    for (index, post) in posts.enumerated() {
      if index > 0 { composer.endLine() }
      composer.append(post)
      if composer.bytes.count >= Self.pieceBytes {
        try output(composer.bytes)
        composer.removeAll()
      }
    }
    if !composer.bytes.isEmpty { try output(composer.bytes) }
  }
}
