internal import FoundationEssentials
internal import Glibc

/// The calendar's clock, for waits that a server gives as a date.
enum WallClock {
  static func read() -> Date {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Date(
      timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
  }
}
