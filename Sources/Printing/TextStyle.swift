package import FoundationEssentials

/// The layout of text, as its stream allows.
package struct TextStyle: Hashable, Sendable {
  /// The width that text is wrapped to; nil to leave lines as they are.
  package var columns: Int?
  /// Whether SGR sequences may be written.
  package var usesColor: Bool
  /// Whether OSC 8 links may be written.
  package var usesLinks: Bool
  /// Whether dates are relative, "5 min ago", rather than RFC 3339.
  package var relativeTimes: Bool
  /// The run's now.
  package var now: Date

  package init(
    columns: Int? = nil, usesColor: Bool = false, usesLinks: Bool = false,
    relativeTimes: Bool = false, now: Date
  ) {
    self.columns = columns
    self.usesColor = usesColor
    self.usesLinks = usesLinks
    self.relativeTimes = relativeTimes
    self.now = now
  }
}

/// An emphasis on a terminal: one of the sixteen colors that themes define, or a weight (SGR of ECMA-48).
enum TextColor: Int, Hashable, Sendable {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case magenta = 35
  case cyan = 36

  /// The sequence that ends any of them.
  static let end = "\u{1B}[0m"

  var sequence: String { "\u{1B}[\(rawValue)m" }

  /// Returns the color of a network's name, the same on every run.
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
