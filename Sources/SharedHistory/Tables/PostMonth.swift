internal import PostHistory
internal import TextFormats

/// A month of UTC, whose posts are one partition.
struct PostMonth: Hashable {
  private static let day: Int64 = 86_400_000

  private let year: Int
  private let month: Int

  /// The month of a moment.
  init(of moment: Milliseconds) {
    let days = moment.count / Self.day - (moment.count % Self.day < 0 ? 1 : 0)
    let date = CivilDate(daysSince1970: Int(days))
    (year, month) = (date.year, date.month)
  }

  /// The name of the partition.
  var name: String { "post_\(year)_\(month < 10 ? "0" : "")\(month)" }

  /// The moments of the month, as the partition's bounds.
  var bounds: Range<Int64> {
    let begin = CivilDate(year: year, month: month, day: 1)
    let end = CivilDate(
      year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1)
    return Int64(begin.daysSince1970) * Self.day..<Int64(end.daysSince1970) * Self.day
  }
}
