package import FoundationEssentials

/// The layout of text, as its stream allows.
package struct TextStyle: Sendable {
  /// The width of the terminal, which lines must fit; nil to leave lines as they are.
  package var columns: Int?
  /// True if SGR sequences may be written.
  package var usesColor: Bool
  /// True if OSC 8 links may be written.
  package var usesLinks: Bool
  /// True if dates are relative with the local time, "5 min ago, 11:55", rather than RFC 3339.
  package var relativeTimes: Bool
  /// True if posts longer than a terminal's patience are printed to their end.
  package var isFull: Bool
  /// The posts that were shown before, by `Post.identityHash`: others are marked as new. Nil marks none.
  package var shown: Set<Int>?
  /// The run's now.
  package var now: Date
  /// The offset of local time at a moment, in seconds east of UTC.
  package var zoneOffset: @Sendable (Date) -> Int

  package init(
    columns: Int? = nil, usesColor: Bool = false, usesLinks: Bool = false,
    relativeTimes: Bool = false, isFull: Bool = false, shown: Set<Int>? = nil, now: Date,
    zoneOffset: @escaping @Sendable (Date) -> Int = { _ in 0 }
  ) {
    self.columns = columns
    self.usesColor = usesColor
    self.usesLinks = usesLinks
    self.relativeTimes = relativeTimes
    self.isFull = isFull
    self.shown = shown
    self.now = now
    self.zoneOffset = zoneOffset
  }
}

/// An emphasis on a terminal (SGR of ECMA-48).
///
/// The colors are those of the palette of 256 that contrast with black and with white alike, by at least
/// 4.2 to 1 (WCAG), since a program cannot know the background.
enum TextColor: Hashable, Sendable, CaseIterable {
  case bold, underlinedBold
  case gray, green, teal, blue, purple, magenta, orange, red

  /// The sequence that ends any of them.
  static let end = "\u{1B}[0m"

  var sequence: String {
    switch self {
    case .bold: "\u{1B}[1m"
    case .underlinedBold: "\u{1B}[1;4m"
    case .gray, .green, .teal, .blue, .purple, .magenta, .orange, .red:
      "\u{1B}[38;5;\(paletteIndex ?? 0)m"
    }
  }

  /// The place of a color in the palette; nil for a weight.
  var paletteIndex: Int? {
    switch self {
    case .bold, .underlinedBold: nil
    case .gray: 243
    case .green: 28
    case .teal: 30
    case .blue: 63
    case .purple: 98
    case .magenta: 163
    case .orange: 130
    case .red: 131
    }
  }

  /// Returns the color of a network's name, the same on every run.
  static func network(_ name: String) -> Self {
    switch name {
    case "mastodon": return .purple
    case "bluesky": return .blue
    case "hackernews": return .orange
    case "reddit": return .red
    case "lemmy": return .green
    default:
      let others: [Self] = [.teal, .green, .magenta, .blue, .orange]
      return others[name.utf8.reduce(0) { $0 &+ Int($1) } % others.count]
    }
  }
}
