internal import Dispatch
internal import Synchronization

/// Some pieces of an output, laid out on all cores from the moment that it is made.
final class PieceGroup: Sendable {
  private let results: Mutex<[[UInt8]]>
  private let done = DispatchGroup()

  init(_ range: Range<Int>, _ layOut: @escaping @Sendable (Int) -> [UInt8]) {
    results = Mutex(Array(repeating: [], count: range.count))
    for piece in range {
      DispatchQueue.global(qos: .userInitiated).async(group: done) {
        let bytes = layOut(piece)
        self.results.withLock { $0[piece - range.lowerBound] = bytes }
      }
    }
  }

  /// The bytes of each piece, once all are there.
  var pieces: [[UInt8]] {
    done.wait()
    return results.withLock { $0 }
  }
}
