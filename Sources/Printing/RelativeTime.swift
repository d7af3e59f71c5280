internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

/// Times as people tell them: "5 min ago", "3 h ago", "2 d ago", and from a week on the day.
enum RelativeTime {
  static func words(for date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    // Clocks differ by a little.
    case -Merge.toleratedLead..<60: return "just now"
    case 60..<3_600: return "\(Int(seconds / 60)) min ago"
    case 3_600..<86_400: return "\(Int(seconds / 3_600)) h ago"
    case 86_400..<604_800: return "\(Int(seconds / 86_400)) d ago"
    case _: return String(RFC3339.format(date).prefix(10))
    }
  }
}
