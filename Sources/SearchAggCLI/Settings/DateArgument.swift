internal import FoundationEssentials
internal import TextFormats

/// A moment as users write it: `searchagg help dates`.
enum DateArgument {
  static let expected =
    "a date such as 2026-11-20, 2026-11-20T09:00:00Z, today, yesterday, now, 90m, 2h, 3d or 1w, "
    + "and no more than 100 years back"

  /// Reads RFC 3339, a day (its local midnight), `now`, `today`, `yesterday`, or a duration back
  /// from now.
  static func parse(_ text: String, now: Date) -> Date? {
    switch text {
    case "now": return now
    case "today": return LocalTime.midnight(of: LocalTime.day(at: now))
    case "yesterday":
      let today = LocalTime.day(at: now).daysSince1970
      return LocalTime.midnight(of: CivilDate(daysSince1970: today - 1))
    case _: break
    }
    if let day = day(text) { return LocalTime.midnight(of: day) }
    if let length = DurationArgument.parse(text, units: ["m", "h", "d", "w"]) {
      return now.addingTimeInterval(-(length / Duration.seconds(1)))
    }
    return RFC3339.parse(text)
  }

  private static func day(_ text: String) -> CivilDate? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      year >= 0, (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }
}
