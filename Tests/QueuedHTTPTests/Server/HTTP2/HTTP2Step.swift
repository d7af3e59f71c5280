/// What the HTTP/2 server does for a request, step by step; after the last one it does nothing more.
enum HTTP2Step: Sendable {
  case head([(String, String)], ends: Bool = false)
  /// As the client's windows let it.
  case data([UInt8], ends: Bool = false)
  /// A whole answer in one piece; its body, of up to 16 KiB, is one frame.
  case burst([(String, String)], [UInt8])
  /// One byte after another until the client leaves.
  case trickle
  /// Header fields without an end, until the client leaves.
  case headerFlood
  /// A frame as it stands.
  case frame(HTTP2Frame.Kind, flags: UInt8 = 0, isOfStream: Bool = true, [UInt8])
  /// Waits until the client has taken in what was sent so far.
  case settle
  /// Ends the stream with an error of RFC 9113, section 7.
  case resetStream(UInt32)
  /// Says that streams after this one are not served any more.
  case goAway(last: UInt32, UInt32)
  /// A proper end of the connection.
  case close
  /// A reset of the connection.
  case abort
  /// Waits until a test lets it go on.
  case pass(Gate)

  static func status(_ code: Int, _ fields: [(String, String)] = []) -> HTTP2Step {
    .head([(":status", "\(code)")] + fields)
  }

  /// A whole answer.
  static func ok(_ body: [UInt8] = [], _ fields: [(String, String)] = []) -> [HTTP2Step] {
    body.isEmpty
      ? [.head([(":status", "200")] + fields, ends: true)]
      : [.status(200, fields), .data(body, ends: true)]
  }
}
