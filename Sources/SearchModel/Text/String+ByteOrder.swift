internal import Glibc

extension String {
  /// Returns whether it sorts before another by its UTF-8 bytes; nil if they are equal.
  ///
  /// `<` compares by canonical equivalence: slower, and different texts can be equal.
  func isBefore(_ other: String) -> Bool? {
    var one = self
    var other = other
    return one.withUTF8 { left in
      other.withUTF8 { right in
        guard let first = left.baseAddress, let second = right.baseAddress else {
          return left.count == right.count ? nil : left.count < right.count
        }
        let order = memcmp(first, second, min(left.count, right.count))
        if order != 0 { return order < 0 }
        return left.count == right.count ? nil : left.count < right.count
      }
    }
  }
}
