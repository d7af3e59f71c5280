internal import FoundationEssentials
internal import TextFormats

/// The format of a date in requests.
enum DateSpelling: Hashable, Sendable {
  /// `2026-11-21T09:00:00Z`.
  case rfc3339
  /// `2026-11-21`, in UTC.
  case date
  case epochSeconds
  case epochMilliseconds
  case pattern(DatePattern)

  static let names =
    "rfc3339, date, epoch-seconds, epoch-milliseconds or a pattern such as YYYYMMDD"

  /// The format of a name, or of a pattern.
  init?(_ name: some StringProtocol) {
    switch name {
    case "rfc3339": self = .rfc3339
    case "date": self = .date
    case "epoch-seconds": self = .epochSeconds
    case "epoch-milliseconds": self = .epochMilliseconds
    default:
      guard let pattern = DatePattern(name) else { return nil }
      self = .pattern(pattern)
    }
  }

  var isNumber: Bool { self == .epochSeconds || self == .epochMilliseconds }

  /// Returns a date, rounded to the precision of the format: down for a beginning, up for an end, so that
  /// no wanted post is outside.
  func text(of date: Date, _ rule: FloatingPointRoundingRule) -> String {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .rfc3339: return RFC3339.formatSeconds(moment(seconds, of: 1, rule))
    case .date: return RFC3339.formatDay(moment(seconds, of: 86_400, rule))
    // Dates before 1970 become 0, as some networks refuse negative numbers.
    case .epochSeconds: return String(Int64(max(seconds, 0).rounded(rule)))
    case .epochMilliseconds: return String(Int64((max(seconds, 0) * 1000).rounded(rule)))
    case .pattern(let pattern): return pattern.text(of: moment(seconds, of: pattern.unit, rule))
    }
  }

  private func moment(
    _ seconds: Double, of unit: Double, _ rule: FloatingPointRoundingRule
  ) -> Date {
    Date(timeIntervalSince1970: (seconds / unit).rounded(rule) * unit)
  }
}
