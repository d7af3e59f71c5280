package import SearchModel

/// Prints posts for people: a line on who, where and when, the text below it, the address last.
///
/// The outcomes are not in it: they are told on standard error (`SummaryLines`). Remote text is
/// stripped of control codes whether a terminal reads it or not.
package struct TextPrinter: PostPrinter {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  package func bytes(of posts: ArraySlice<Post>, isFirst: Bool) -> [UInt8] {
    var composer = TextComposer(style: style)
    for index in posts.indices {
      if index > posts.startIndex || !isFirst { composer.endLine() }
      composer.append(posts[index])
    }
    return composer.bytes
  }

  package func ending(outcomes: [SearchOutcome], isIncomplete: Bool) -> [UInt8] { [] }
}
