internal import TextFormats

/// Reads the dates that the networks take as parameters, strictly, as milliseconds since 1970.
enum DateReading {
  /// Reads `YYYY-MM-DD`.
  static func day(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].utf8.count == 4, let year = digits(parts[0]),
      parts[1].utf8.count == 2, let month = digits(parts[1]), (1...12).contains(month),
      parts[2].utf8.count == 2, let day = digits(parts[2])
    else { return nil }
    let civil = CivilDate(year: year, month: month, day: day)
    // The 31st of a month of 30 days comes back as another day.
    guard CivilDate(daysSince1970: civil.daysSince1970) == civil else { return nil }
    return civil.daysSince1970 * 86_400_000
  }

  /// Reads RFC 3339 with any fraction and, unless `onlyUTC`, any offset.
  static func rfc3339(_ text: String, onlyUTC: Bool = false) -> Int? {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, let day = day(halves[0]) else { return nil }
    guard let zoneStart = halves[1].firstIndex(where: { $0 == "Z" || $0 == "+" || $0 == "-" }),
      let offset = offset(halves[1][zoneStart...]), !onlyUTC || halves[1][zoneStart...] == "Z"
    else { return nil }
    let clock = halves[1][..<zoneStart].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = clock[0].split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 3, fields.allSatisfy({ $0.utf8.count == 2 }),
      let hour = digits(fields[0]), hour < 24, let minute = digits(fields[1]), minute < 60,
      let second = digits(fields[2]), second < 61
    else { return nil }
    var milliseconds = 0
    if clock.count == 2 {
      guard let fraction = digits((clock[1] + "00").prefix(3)), !clock[1].isEmpty else {
        return nil
      }
      milliseconds = fraction
    }
    return day + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds - offset
  }

  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    let fields = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields.allSatisfy({ $0.utf8.count == 2 }),
      let hours = digits(fields[0]),
      let minutes = digits(fields[1])
    else { return nil }
    return (hours * 60 + minutes) * (text.hasPrefix("-") ? -60_000 : 60_000)
  }

  private static func digits(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
