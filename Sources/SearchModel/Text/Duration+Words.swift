extension Duration {
  /// The whole seconds in which it has passed.
  package var roundedUpToSeconds: Duration { .seconds((self / .seconds(1)).rounded(.up)) }

  /// The duration for people, rounded up from two minutes on: `250 ms`, `1.5 s`, `20 s`, `12 min`,
  /// `3 h`.
  package var inWords: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    let seconds = (milliseconds + 999) / 1000
    switch milliseconds {
    case ..<1000: return "\(milliseconds) ms"
    case ..<120_000:
      return milliseconds % 1000 == 0 ? "\(seconds) s" : "\(Double(milliseconds / 100) / 10) s"
    case ..<7_200_000: return "\((seconds + 59) / 60) min"
    default: return "\((seconds + 3599) / 3600) h"
    }
  }

  /// The age of something for people, at least a second and rounded down: `30 s`, `12 min`, `3 h`,
  /// `4 d`.
  package var asAge: String {
    let seconds = max(components.seconds, 1)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
