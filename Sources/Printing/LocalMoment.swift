package import FoundationEssentials
internal import TextFormats

/// A moment on the clock and the calendar of a place.
struct LocalMoment {
  /// `2026-11-20`.
  let day: String
  /// `12:34:56`.
  let time: String
  /// `Fri`.
  let weekday: String

  /// `12:34`.
  var clock: Substring { time.prefix(5) }

  /// - Parameter offset: The seconds that the place is east of UTC. Nil for a moment that RFC 3339 cannot
  ///   write.
  init?(_ date: Date, offset: Int) {
    let shifted = date.addingTimeInterval(Double(offset))
    guard RFC3339.canWrite(shifted) else { return nil }
    let text = RFC3339.format(shifted)
    let days = Int((shifted.timeIntervalSince1970 / 86_400).rounded(.down))
    day = String(text.prefix(10))
    time = String(text.dropFirst(11).prefix(8))
    weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
  }
}

/// The form of moments in reports: in UTC, or for people at a terminal in their own time.
package struct ReportClock: Sendable {
  /// The run's now, and the offset of local time at a moment; nil for UTC.
  private let local: (now: Date, offset: @Sendable (Date) -> Int)?

  package static let utc = ReportClock(local: nil)

  private init(local: (now: Date, offset: @Sendable (Date) -> Int)?) { self.local = local }

  package init(now: Date, zoneOffset: @escaping @Sendable (Date) -> Int) {
    local = (now, zoneOffset)
  }

  /// Returns a moment rounded up to a second: `2026-11-20T12:01:30Z`, or in local time `12:01:30`, with the
  /// day unless it is today; nil when it is out of the range of RFC 3339.
  package func text(_ date: Date) -> String? {
    let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    guard let local else {
      return RFC3339.canWrite(second) ? RFC3339.formatSeconds(second) : nil
    }
    guard let moment = LocalMoment(second, offset: local.offset(second)),
      let today = LocalMoment(local.now, offset: local.offset(local.now))
    else { return nil }
    return moment.day == today.day ? moment.time : "\(moment.day) \(moment.time)"
  }
}
