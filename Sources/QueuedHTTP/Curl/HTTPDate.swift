internal import CCurl
internal import FoundationEssentials

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Reads a date in any of the forms that are in use; nil for other text.
  static func parse(_ text: String) -> Date? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
  }
}
