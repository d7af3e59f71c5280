package import FoundationEssentials

/// How text is laid out, as the stream it goes to allows.
package struct TextStyle: Hashable, Sendable {
  /// The width that text is wrapped to; nil to leave lines as they are.
  package var columns: Int?
  /// Whether SGR sequences may be written.
  package var usesColour: Bool
  /// Whether OSC 8 links may be written.
  package var usesLinks: Bool
  /// Whether dates are told from now, "5 min ago", rather than written as RFC 3339.
  package var relativeTimes: Bool
  /// The run's now.
  package var now: Date

  package init(
    columns: Int? = nil, usesColour: Bool = false, usesLinks: Bool = false,
    relativeTimes: Bool = false, now: Date
  ) {
    self.columns = columns
    self.usesColour = usesColour
    self.usesLinks = usesLinks
    self.relativeTimes = relativeTimes
    self.now = now
  }
}
