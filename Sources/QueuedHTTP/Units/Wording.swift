/// Sizes and durations for error messages.
enum Wording {
  /// `1,024 bytes`, or `KiB` and `MiB` if it is a multiple of some of them.
  static func bytes(_ count: Int) -> String {
    if count >= 1 << 20, count % (1 << 20) == 0 { return "\(count >> 20) MiB" }
    if count >= 1 << 10, count % (1 << 10) == 0, count != 1 << 10 { return "\(count >> 10) KiB" }
    return exactBytes(count)
  }

  /// Always in bytes, for sizes that were counted rather than set.
  static func exactBytes(_ count: Int) -> String {
    count == 1 ? "1 byte" : "\(grouped(count)) bytes"
  }

  /// `20 s`, `1.5 s` or `250 ms`.
  static func time(_ duration: Duration) -> String {
    let milliseconds = duration.wholeNanoseconds / 1_000_000
    if milliseconds < 1000 { return "\(milliseconds) ms" }
    let tenths = milliseconds % 1000 / 100
    return tenths == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds / 1000).\(tenths) s"
  }

  private static func grouped(_ count: Int) -> String {
    var text = ""
    let digits = String(count)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
