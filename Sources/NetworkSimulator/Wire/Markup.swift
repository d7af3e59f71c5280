/// HTML as many sites write it.
enum Markup {
  /// Returns the text with HTML's reserved characters as entities.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
  }

  /// Returns a post as paragraphs with links.
  static func paragraphs(_ pieces: [TextPiece]) -> String {
    var html = "<p>"
    var previous: TextPiece?
    for piece in pieces {
      switch piece {
      case .words, .hashtag, .mention: html += escaped(piece.plain)
      case .link(let address):
        html += "<a href=\"\(escaped(address))\" rel=\"nofollow\">\(escaped(address))</a>"
      case .lineBreak where previous == .lineBreak: html += "</p>\n<p>"
      case .lineBreak: break
      }
      previous = piece
    }
    return html + "</p>\n"
  }
}
