/// How a part of a post stands out on a terminal: one of the sixteen colours that themes know, or a
/// weight (SGR of ECMA-48).
enum TextColour: Int, Hashable, Sendable {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36

  /// What ends any of them.
  static let end = "\u{1B}[0m"

  var sequence: String { "\u{1B}[\(rawValue)m" }

  /// The colour that a network's name has on every run: its own where people know one.
  static func network(_ name: String) -> Self {
    switch name {
    case "mastodon": return .magenta
    case "bluesky": return .blue
    case "hackernews": return .yellow
    case "reddit": return .red
    case "lemmy": return .green
    case _:
      let others: [Self] = [.cyan, .green, .magenta, .blue, .yellow]
      return others[name.utf8.reduce(0) { $0 &+ Int($1) } % others.count]
    }
  }
}
