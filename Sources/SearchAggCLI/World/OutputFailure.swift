/// Why bytes could not be written.
package enum OutputFailure: Error, Hashable, Sendable {
  /// The reader has gone (EPIPE): no error for anybody, but nothing more is worth writing.
  case closed
  /// The system's words, such as "No space left on device".
  case failed(reason: String)
}
