package import SearchModel

/// One output format: posts and outcomes in, bytes out.
package protocol PostPrinter: Sendable {
  /// The bytes of some posts that follow one another; `isFirst` when none stands before them.
  func bytes(of posts: ArraySlice<Post>, isFirst: Bool) -> [UInt8]

  /// The bytes behind the last post: the outcomes, where the format has a place for them.
  func ending(outcomes: [SearchOutcome], isIncomplete: Bool) -> [UInt8]
}

extension PostPrinter {
  /// How many posts one piece of the output holds.
  private static var piecePosts: Int { 1024 }

  /// How many pieces are laid out at once, and held in memory.
  private static var groupPieces: Int { 8 }

  /// Writes all posts and then the ending.
  ///
  /// Pieces are laid out on all cores, the next ones while these are written, so that a big output
  /// is neither held in memory whole nor written in small calls. The first fault of `output` ends it.
  ///
  /// - Parameter isFirst: Whether nothing has been written of this output before.
  package func write<Fault: Error>(
    _ posts: ArraySlice<Post>, isFirst: Bool = true, outcomes: [SearchOutcome], isIncomplete: Bool,
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    // The last piece is the ending.
    let count = (posts.count + Self.piecePosts - 1) / Self.piecePosts + 1
    let layOut = { @Sendable (piece: Int) -> [UInt8] in
      let start = posts.startIndex + piece * Self.piecePosts
      guard piece < count - 1 else {
        return ending(outcomes: outcomes, isIncomplete: isIncomplete)
      }
      let end = min(start + Self.piecePosts, posts.endIndex)
      return bytes(of: posts[start..<end], isFirst: isFirst && piece == 0)
    }
    let groups = stride(from: 0, to: count, by: Self.groupPieces).map { first in
      first..<min(first + Self.groupPieces, count)
    }
    var upcoming = PieceGroup(groups[0], layOut)
    for next in groups.dropFirst() {
      let group = upcoming
      upcoming = PieceGroup(next, layOut)
      for bytes in group.pieces where !bytes.isEmpty { try output(bytes) }
    }
    for bytes in upcoming.pieces where !bytes.isEmpty { try output(bytes) }
  }
}
