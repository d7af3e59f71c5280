internal import FoundationEssentials
internal import TextFormats

extension JSONPlace.Entry {
  /// A date of RFC 3339, with or without fractions of a second.
  func date() throws(TagShapeError) -> Date {
    let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
    if case .string(let text) = value {
      for style in styles {
        if let date = try? style.parse(text) { return date }
      }
    }
    throw place.fault(expected: "a date such as \"2026-11-21T09:00:00Z\"", found: value)
  }
}
