internal import QueuedHTTP

/// A bound on the values of a JSON response: reading one takes up to 30 bytes of memory, however small it
/// is, so that 30 MB of empty objects would take half a gigabyte.
enum AnswerSize {
  static let mostMarks = 4_000_000

  /// True if a body has more commas, colons and brackets than any network's page.
  static func isExcessive(_ body: HTTPBody) -> Bool {
    guard body.count > mostMarks else { return false }
    return body.withUnsafeBytes { bytes in
      var marks = 0
      for byte in bytes {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["): marks += 1
        default: break
        }
      }
      return marks > mostMarks
    }
  }
}
