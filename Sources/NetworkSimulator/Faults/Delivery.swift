/// How an answer goes out.
enum Delivery: Sendable, Hashable {
  case whole
  /// Nothing is said, for as long as the client waits.
  case stall
  /// The connection is reset.
  case reset
  /// The connection is closed without a word.
  case empty
  /// Half of the body, then the connection is closed.
  case cut
  /// Tens of thousands of headers.
  case flood
  /// The body with white space behind it, up to so many bytes.
  case padded(Int)
  /// A little gzip that is a lot of spaces.
  case bomb
}
