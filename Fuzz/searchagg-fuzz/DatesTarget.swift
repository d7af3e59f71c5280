import FoundationEssentials
import QueuedHTTP
import SearchSources
import TextFormats

/// Dates in all formats of bodies and headers.
enum DatesTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    let text = String(decoding: input, as: UTF8.self)
    for allowance in [[], .missingZone, .shortForms, [.missingZone, .shortForms]]
      as [RFC3339.Allowance]
    {
      check(RFC3339.parse(text, allowing: allowance))
    }
    check(RFC822.parse(text))
    if let number = Double(text) { check(EpochTime.date(seconds: number)) }
    if let number = Int64(text) {
      check(EpochTime.date(seconds: number))
      check(EpochTime.date(milliseconds: number))
    }
    let names = ["Retry-After", "x-rate-limit-reset", "ratelimit-reset"]
    for name in names {
      _ = RateLimit([name: text], now: AnswersTarget.now).retryMoment
    }
    return 0
  }

  /// Dates read back as written, to the millisecond.
  private static func check(_ date: Date?) {
    guard let date, RFC3339.canWrite(date) else { return }
    let written = RFC3339.format(date)
    guard let again = RFC3339.parse(written) else { preconditionFailure(written) }
    precondition(abs(again.timeIntervalSince(date)) < 0.0011, written)
  }
}
