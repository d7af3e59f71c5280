internal import FoundationEssentials
internal import TextFormats

/// The format of a date in requests.
enum DateSpelling: String, CaseIterable, Sendable {
  /// `2026-11-21T09:00:00Z`.
  case rfc3339
  /// `2026-11-21`, in UTC.
  case date
  case epochSeconds = "epoch-seconds"
  case epochMilliseconds = "epoch-milliseconds"

  var isNumber: Bool { self == .epochSeconds || self == .epochMilliseconds }

  /// Returns a date, rounded to the precision of the format: down for a beginning, up for an end, so that
  /// no wanted post is outside.
  func text(of date: Date, _ rule: FloatingPointRoundingRule) -> String {
    let seconds = date.timeIntervalSince1970
    switch self {
    case .rfc3339: return RFC3339.formatSeconds(moment(seconds, of: 1, rule))
    case .date: return String(RFC3339.format(moment(seconds, of: 86_400, rule)).prefix(10))
    case .epochSeconds: return String(Int64(seconds.rounded(rule)))
    case .epochMilliseconds: return String(Int64((seconds * 1000).rounded(rule)))
    }
  }

  private func moment(
    _ seconds: Double, of unit: Double, _ rule: FloatingPointRoundingRule
  ) -> Date {
    Date(timeIntervalSince1970: (seconds / unit).rounded(rule) * unit)
  }
}
