/// Texts made to harm whoever prints them as they are.
enum HostileText {
  static let snippets = [
    "\u{1B}[31mred\u{1B}[0m", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;owned\u{7}",
    "\u{1B}]8;;http://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\", "\u{9B}31m",
    "\u{9D}52;c;b3du\u{9C}",
    "\u{202E}gpj.exe\u{202C}", "\u{2066}hidden\u{2069}", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "=HYPERLINK(\"http://evil.example\",\"x\")",
    "+1+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd", "-2+3", "\u{8}\u{8}\u{8}back", "carriage\rreturn", "bell\u{7}", "del\u{7F}",
    "| pipe | `code` | [x](javascript:alert(1))", "```\n::error::owned", "&amp;lt;b&amp;gt;",
    "%s%n%x",
    "zero\u{200B}width\u{FEFF}", "Z\u{351}\u{36B}\u{343}\u{36A}a\u{36C}lgo", "tab\tand\u{2028}line",
  ]
  static let links = [
    "javascript:alert(1)", "https://evil.example/\u{1B}[31m", "https://user:secret@evil.example/",
    "data:text/html,<script>1</script>", "https://evil.example/\"><b>",
  ]

  /// Returns the post with such texts in its name, text and links; its query's words stay.
  static func infect(_ post: CorpusPost) -> CorpusPost {
    var post = post
    let first = snippets[post.ordinal % snippets.count]
    post.author.name = snippets[(post.ordinal + 7) % snippets.count]
    post.pieces = post.pieces.map { piece in
      guard case .link = piece, post.ordinal % 3 == 0 else { return piece }
      return .link(links[post.ordinal / 3 % links.count])
    }
    post.pieces.insert(.words(first + " "), at: 0)
    return post
  }
}
