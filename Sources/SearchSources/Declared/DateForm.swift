internal import FoundationEssentials
internal import TextFormats

/// The format of dates in responses.
enum DateForm: Sendable {
  /// Detects the format.
  case auto
  case epochSeconds
  case epochMilliseconds
  case rfc3339
  case rfc822
  case pattern(DatePattern)

  private static let named: KeyValuePairs<String, DateForm> = [
    "auto": .auto, "epoch-seconds": .epochSeconds, "epoch-milliseconds": .epochMilliseconds,
    "rfc3339": .rfc3339, "rfc822": .rfc822,
  ]

  init(_ entry: JSONEntry) throws(DocumentError) {
    let names = Self.named.map(\.key).joined(separator: ", ")
    let expected = "one of \(names), or a pattern such as YYYYMMDDThhmmssZ"
    let name = try entry.string(expected: expected)
    if let form = Self.named.first(where: { $0.key == name })?.value {
      self = form
    } else if let pattern = DatePattern(name) {
      self = .pattern(pattern)
    } else {
      throw entry.fault(expected: expected)
    }
  }

  /// From here on a number counts milliseconds: as seconds it would lie beyond the year 5000.
  private static let leastMilliseconds = 1e11

  /// 0001-01-01T00:00:00Z, as which Go and .NET write a missing date.
  private static let zero = Date(timeIntervalSince1970: -62_135_596_800)

  /// Reads a date; nil for anything else.
  func date(_ node: JSONNode) -> Date? {
    // Other programs write it as the number 0; the day of that moment is the date of many papers.
    if node.integer == 0 || node.isString("0") { return nil }
    return read(node).flatMap { $0 == Self.zero ? nil : $0 }
  }

  private func read(_ node: JSONNode) -> Date? {
    switch self {
    case .auto:
      if let date = compact(node) { return date }
      if let number = number(node) {
        return EpochTime.date(
          seconds: abs(number) >= Self.leastMilliseconds ? number / 1000 : number)
      }
      return node.rfc3339(allowing: [.missingZone, .shortForms]) ?? node.rfc822
        ?? node.integer.flatMap { RFC3339.parse(String($0), allowing: .shortForms) }
    case .epochSeconds: return number(node).flatMap { EpochTime.date(seconds: $0) }
    case .epochMilliseconds: return number(node).flatMap { EpochTime.date(seconds: $0 / 1000) }
    case .rfc3339: return node.rfc3339(allowing: [.missingZone, .shortForms])
    case .rfc822: return node.rfc822
    case .pattern(let pattern): return node.string.flatMap(pattern.date)
    }
  }

  /// A date in digits only, as a text or a number: `20261120`, `20261120101112`. As seconds the one would be in 1970,
  /// and as milliseconds the other beyond the year 2600.
  private func compact(_ node: JSONNode) -> Date? {
    if let count = node.stringBytes?.count, count != 8, count != 14 { return nil }
    guard let text = node.identifier else { return nil }
    switch text.utf8.count {
    case 8: return Self.day?.date(text)
    case 14: return Self.second?.date(text)
    default: return nil
    }
  }

  private static let day = DatePattern("YYYYMMDD")
  private static let second = DatePattern("YYYYMMDDhhmmss")

  /// A number, which some write as a string. Four digits are a year rather than an hour of 1970.
  private func number(_ node: JSONNode) -> Double? {
    let isAuto = if case .auto = self { true } else { false }
    if let number = node.double { return isAuto && (1000..<10_000).contains(number) ? nil : number }
    guard let bytes = node.stringBytes, !isAuto || bytes.count > 4 else { return nil }
    guard bytes.allSatisfy({ $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2D }) else {
      return nil
    }
    return node.string.flatMap { Double($0) }
  }
}
