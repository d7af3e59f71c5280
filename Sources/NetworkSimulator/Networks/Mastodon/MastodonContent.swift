/// Writes a text as Mastodon's HTML: paragraphs, and links in three spans.
struct MastodonContent {
  private let pieces: [TextPiece]
  private let domain: String
  private let page: (CorpusAuthor) -> String

  init(_ pieces: [TextPiece], domain: String, page: @escaping (CorpusAuthor) -> String) {
    self.pieces = pieces
    self.domain = domain
    self.page = page
  }

  var html: String {
    var html = "<p>"
    var previous: TextPiece?
    for piece in pieces {
      switch piece {
      case .words(let text): html += Markup.escaped(text)
      case .hashtag(let name):
        html +=
          """
          <a href="https://\(domain)/tags/\(PercentDecoding.encode(name))" \
          class="mention hashtag" rel="tag">#<span>\(Markup.escaped(name))</span></a>
          """
      case .mention(let author):
        html +=
          """
          <span class="h-card" translate="no"><a href="\(page(author))" \
          class="u-url mention">@<span>\(author.handle)</span></a></span>
          """
      case .link(let address): html += Self.link(address)
      case .lineBreak where previous == .lineBreak: html += "</p><p>"
      case .lineBreak: break
      }
      previous = piece
    }
    return html + "</p>"
  }

  /// The scheme and what is too long are there, but not to be seen.
  private static func link(_ address: String) -> String {
    let scheme = address.hasPrefix("https://") ? "https://" : ""
    let rest = address.dropFirst(scheme.count)
    let shown = rest.prefix(30)
    let hidden = rest.dropFirst(30)
    let style = hidden.isEmpty ? "" : "ellipsis"
    return
      """
      <a href="\(Markup.escaped(address))" target="_blank" rel="nofollow noopener noreferrer" \
      translate="no"><span class="invisible">\(scheme)</span>\
      <span class="\(style)">\(Markup.escaped(String(shown)))</span>\
      <span class="invisible">\(Markup.escaped(String(hidden)))</span></a>
      """
  }
}
