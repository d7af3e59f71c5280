import Foundation
import Synchronization

/// A calendar's clock that stands still until a test moves it.
final class SetClock: Sendable {
  private let date: Mutex<Date>

  init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) { self.date = Mutex(date) }

  var now: Date { date.withLock { $0 } }

  func pass(seconds: Double) { date.withLock { $0 += seconds } }

  /// The time as HTTP writes it.
  func httpDate(_ offset: Double = 0) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: now + offset)
  }
}
