internal import FoundationEssentials
internal import TextFormats

/// How the dates of an answer are written.
enum DateForm: String, CaseIterable, Sendable {
  /// Whichever of the others it looks like.
  case auto
  case epochSeconds = "epoch-seconds"
  case epochMilliseconds = "epoch-milliseconds"
  case rfc3339
  case rfc822

  /// From here on a number counts milliseconds: as seconds it would lie beyond the year 5000.
  private static let leastMilliseconds = 1e11

  /// The moment that a node spells; nil for what is none.
  func date(_ node: JSONNode) -> Date? {
    switch self {
    case .auto:
      if let number = number(node) {
        return EpochTime.date(
          seconds: abs(number) >= Self.leastMilliseconds ? number / 1000 : number)
      }
      return node.rfc3339(allowing: [.missingZone, .shortForms]) ?? node.rfc822
    case .epochSeconds: return number(node).flatMap { EpochTime.date(seconds: $0) }
    case .epochMilliseconds: return number(node).flatMap { EpochTime.date(seconds: $0 / 1000) }
    case .rfc3339: return node.rfc3339(allowing: [.missingZone, .shortForms])
    case .rfc822: return node.rfc822
    }
  }

  /// A number, which some write as a string. Four digits are a year rather than an hour of 1970.
  private func number(_ node: JSONNode) -> Double? {
    if let number = node.double { return number }
    guard let text = node.string, text.utf8.count > 4 || self != .auto,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
    else { return nil }
    return Double(text)
  }
}
