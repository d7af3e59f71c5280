internal import FoundationEssentials

extension Array where Element == Post {
  /// Merged posts from the oldest to the newest; those of one moment keep their order.
  package var oldestFirst: [Post] {
    var turned: [Post] = []
    turned.reserveCapacity(count)
    var end = endIndex
    while end > startIndex {
      var start = end - 1
      while start > startIndex, self[start - 1].moment == self[end - 1].moment { start -= 1 }
      turned += self[start..<end]
      end = start
    }
    return turned
  }
}

extension Post {
  /// The moment by which the merge sorts it.
  fileprivate var moment: Int64? { createdAt.flatMap(MergeKey.milliseconds(of:)) }
}
