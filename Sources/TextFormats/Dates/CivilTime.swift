internal import FoundationEssentials

/// A moment as a text spells it: day, time of day and offset from UTC, not yet checked.
struct CivilTime {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  /// 60 is a leap second: the moment that the next minute begins.
  var second = 0
  var millisecond = 0
  /// How many minutes the clock of the place is ahead of UTC.
  var offset = 0

  /// The moment; nil when there is no such day or time, or it lies outside the years 1 to 9999.
  var date: Date? {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(in: month, of: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = days * 86_400 + hour * 3600 + (minute - offset) * 60 + second
    return EpochTime.date(milliseconds: Int64(seconds) * 1000 + Int64(millisecond))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    case _: 31
    }
  }
}
