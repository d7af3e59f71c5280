package import SearchModel

/// One output format: posts and outcomes in, bytes out.
package protocol PostPrinter: Sendable {
  /// Writes all posts, and the outcomes where the format has a place for them.
  ///
  /// The bytes come in pieces of about `pieceBytes`, so that a big output is neither held in memory
  /// whole nor written in small calls. The first fault of `output` ends it.
  func write<Fault: Error>(
    _ posts: [Post], outcomes: [SearchOutcome], isIncomplete: Bool,
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault)
}

extension PostPrinter {
  /// How many bytes are gathered before they are written.
  static var pieceBytes: Int { 1 << 18 }
}
