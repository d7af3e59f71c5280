/// A part of a post's text; each network writes the parts in its own way.
enum TextPiece: Sendable, Hashable {
  case words(String)
  case hashtag(String)
  case mention(CorpusAuthor)
  case link(String)
  case lineBreak

  /// The piece as a reader sees it.
  var plain: String {
    switch self {
    case .words(let text): text
    case .hashtag(let name): "#\(name)"
    case .mention(let author): "@\(author.handle)"
    case .link(let address): address
    case .lineBreak: "\n"
    }
  }
}
