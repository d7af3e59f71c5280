internal import Dispatch
package import SearchModel
internal import Synchronization

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

  /// Writes all posts and then the ending.
  ///
  /// Pieces are laid out on all cores and written in order, so that a big output is neither held in
  /// memory whole nor written in small calls. The first fault of `output` ends it.
  package func write<Fault: Error>(
    _ posts: [Post], outcomes: [SearchOutcome], isIncomplete: Bool,
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    let pieces = stride(from: 0, to: posts.count, by: Self.piecePosts).map { start in
      posts[start..<min(start + Self.piecePosts, posts.count)]
    }
    let width = 8
    for first in stride(from: 0, to: pieces.count, by: width) {
      let group = pieces[first..<min(first + width, pieces.count)]
      for bytes in layOut(group) { try output(bytes) }
    }
    let ending = ending(outcomes: outcomes, isIncomplete: isIncomplete)
    if !ending.isEmpty { try output(ending) }
  }

  /// The bytes of each piece, all laid out at once.
  private func layOut(_ pieces: ArraySlice<ArraySlice<Post>>) -> [[UInt8]] {
    let results = Mutex([[UInt8]](repeating: [], count: pieces.count))
    DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
      let piece = pieces[pieces.startIndex + index]
      let bytes = bytes(of: piece, isFirst: piece.startIndex == 0)
      results.withLock { $0[index] = bytes }
    }
    return results.withLock { $0 }
  }
}
