internal import FoundationEssentials
internal import SearchModel
internal import TextFormats

extension JSONWriter {
  /// Writes the member `alerts`; nothing when there are none.
  mutating func member(alerts: [TagAlert]) {
    guard !alerts.isEmpty else { return }
    key(plain: "alerts")
    beginArray()
    for alert in alerts {
      beginObject()
      member("tag", alert.tag)
      switch alert.kind {
      case .silent(let since):
        member("kind", "silent")
        member("since", since)
      case .spike(let rate, let usual):
        member("kind", "spike")
        member("rate", rate)
        key(plain: "usual")
        raw(Self.number(usual))
      }
      endObject()
    }
    endArray()
  }

  /// A median of whole numbers: it has a half at most.
  static func number(_ median: Double) -> String {
    median == median.rounded() ? "\(Int(median))" : "\(median)"
  }
}

extension TagAlert {
  /// The alert as a line for people.
  package var line: String {
    let line =
      switch kind {
      case .silent(let since): "no post for \(tag) since \(RFC3339.formatSeconds(since))"
      case .spike(let rate, let usual):
        "\(rate) posts for \(tag) in the last hour, usually \(JSONWriter.number(usual))"
      }
    return "alert: \(ControlCodes.strippedToLine(line))"
  }
}
