internal import Dispatch
package import FoundationEssentials
package import SearchModel
internal import Synchronization

/// An output format: posts and outcomes in, bytes out.
package protocol PostPrinter: Sendable {
  /// Returns what precedes the first post.
  ///
  /// Formats that are printed while a run goes on must not look at the result, which is not complete
  /// by then.
  func beginning(of result: RunResult) -> [UInt8]

  /// Returns the bytes of consecutive posts.
  ///
  /// - Parameter previous: The post before the first one; nil at the start of the output.
  func bytes(of posts: ArraySlice<Post>, after previous: Post?) -> [UInt8]

  /// Returns what follows the last post, such as the outcomes.
  func ending(of result: RunResult) -> [UInt8]
}

/// Everything that a run hands to a printer.
package struct RunResult: Sendable {
  /// The posts in the order of the output.
  package var posts: ArraySlice<Post>
  /// The outcome of each search, in plan order.
  package var outcomes: [SearchOutcome]
  package var isIncomplete: Bool
  /// The posts that the run's filters left out; empty when the run had no filters.
  package var excluded: FilterTally
  /// The alerts of the run's tags.
  package var alerts: [TagAlert]
  /// The run's now.
  package var now: Date
  /// The number of posts that these are the newest of; nil where none is left out.
  package var total: Int?
  /// The part of a plan that was run; nil for all of it.
  package var part: PlanPart?

  package init(
    posts: ArraySlice<Post> = [], outcomes: [SearchOutcome] = [], isIncomplete: Bool = false,
    excluded: FilterTally = FilterTally(), alerts: [TagAlert] = [], now: Date
  ) {
    self.alerts = alerts
    self.posts = posts
    self.outcomes = outcomes
    self.isIncomplete = isIncomplete
    self.excluded = excluded
    self.now = now
  }

  /// The searches that were not completed, in plan order.
  var missing: some Sequence<SearchOutcome> {
    outcomes.lazy.filter { if case .completed = $0.ending { false } else { true } }
  }
}

extension PostPrinter {
  package func beginning(of result: RunResult) -> [UInt8] { [] }

  /// The posts of one piece of the output.
  private static var postsPerPiece: Int { 256 }

  /// The pieces that are laid out in parallel and held in memory.
  private static var piecesPerGroup: Int { 8 }

  /// Writes a whole output: the beginning, all posts and the ending.
  ///
  /// Pieces are laid out on all cores while earlier ones are being written, so that a large output is
  /// neither held in memory as a whole nor written in small calls. The first error of `output` ends it.
  ///
  /// - Parameters:
  ///   - written: The number of posts that were written earlier, with the beginning.
  ///   - isPatient: Returns whether other threads of the process come first: a single one lays pieces out meanwhile.
  package func write<Fault: Error>(
    _ result: RunResult, skipping written: Int = 0, isPatient: () -> Bool = { false },
    to output: ([UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    let single = DispatchQueue(label: "Printing", qos: .userInitiated)
    func queue() -> DispatchQueue { isPatient() ? single : .printing }
    let all = result.posts
    let posts = all.dropFirst(written)
    let last = posts.startIndex > all.startIndex ? all[posts.startIndex - 1] : nil
    let count = (posts.count + Self.postsPerPiece - 1) / Self.postsPerPiece
    // The beginning comes before the pieces of posts, the ending after them.
    let layOut = { @Sendable (piece: Int) -> [UInt8] in
      if piece == 0 { return written == 0 ? beginning(of: result) : [] }
      if piece == count + 1 { return ending(of: result) }
      let start = posts.startIndex + (piece - 1) * Self.postsPerPiece
      let end = min(start + Self.postsPerPiece, posts.endIndex)
      return bytes(of: posts[start..<end], after: piece == 1 ? last : posts[start - 1])
    }
    let groups = stride(from: 0, to: count + 2, by: Self.piecesPerGroup).map { first in
      first..<min(first + Self.piecesPerGroup, count + 2)
    }
    var upcoming = PieceGroup(groups[0], on: queue(), layOut)
    for next in groups.dropFirst() {
      let group = upcoming
      upcoming = PieceGroup(next, on: queue(), layOut)
      for bytes in group.pieces where !bytes.isEmpty { try output(bytes) }
    }
    for bytes in upcoming.pieces where !bytes.isEmpty { try output(bytes) }
  }

  /// Writes a whole output whose posts come in batches, in a format that can stream.
  ///
  /// Each batch is laid out on all cores while the next one is read; no more of them are held.
  ///
  /// - Parameter next: Returns the next posts; none after the last ones.
  package func write(
    _ result: RunResult, batches next: () throws -> [Post], to output: ([UInt8]) throws -> Void
  ) throws {
    var result = result
    try output(beginning(of: result))
    var group: PieceGroup?
    while true {
      let batch = try next()
      let upcoming = batch.isEmpty ? nil : pieces(of: batch, after: result.posts.last)
      for bytes in group?.pieces ?? [] where !bytes.isEmpty { try output(bytes) }
      guard let upcoming else { break }
      group = upcoming
      result.posts = batch[...]
    }
    try output(ending(of: result))
  }

  private func pieces(of batch: [Post], after last: Post?) -> PieceGroup {
    let count = (batch.count + Self.postsPerPiece - 1) / Self.postsPerPiece
    return PieceGroup(0..<count, on: .printing) { piece in
      let start = piece * Self.postsPerPiece
      let end = min(start + Self.postsPerPiece, batch.count)
      return bytes(of: batch[start..<end], after: piece == 0 ? last : batch[start - 1])
    }
  }
}

extension DispatchQueue {
  /// The queue of pieces that all cores lay out.
  fileprivate static let printing = DispatchQueue.global(qos: .userInitiated)
}

/// Consecutive pieces of an output, laid out from the moment the group is created.
private final class PieceGroup: Sendable {
  private let results: Mutex<[[UInt8]]>
  private let done = DispatchGroup()

  init(
    _ range: Range<Int>, on queue: DispatchQueue,
    _ layOut: @escaping @Sendable (Int) -> [UInt8]
  ) {
    results = Mutex(Array(repeating: [], count: range.count))
    for piece in range {
      queue.async(group: done) {
        let bytes = layOut(piece)
        self.results.withLock { $0[piece - range.lowerBound] = bytes }
      }
    }
  }

  /// The bytes of each piece. Waits until all are laid out.
  var pieces: [[UInt8]] {
    done.wait()
    return results.withLock { $0 }
  }
}

extension [UInt8] {
  /// Appends a text of our own as UTF-8.
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
