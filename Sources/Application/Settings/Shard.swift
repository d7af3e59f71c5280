internal import Digests

/// One of several runs that share a plan, `--shard 2/10`; each asks different servers.
///
/// A lane, which is a source on a server, belongs to one part as a whole, so that its pace, its cool-down,
/// its cost and the requests that its searches share need no coordination. The part of a lane follows from
/// its name alone, `SOURCE SERVER`: the first eight bytes of its SHA-256, as a big-endian number, modulo the
/// number of parts, is the number of its part, counted from 0.
package struct Shard: Hashable, Sendable {
  /// If there are more parts than lanes, some parts are empty.
  package static let most = 10_000

  /// From 1.
  package let number: Int
  package let count: Int

  /// Reads `2/10`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let number = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.most).contains(count), (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// The number of the part that a lane belongs to, from 1.
  package static func part(ofLane name: String, of count: Int) -> Int {
    let digest = SecureHash.sha256(Array(name.utf8)).prefix(8).reduce(UInt64(0)) {
      $0 << 8 | UInt64($1)
    }
    return Int(digest % UInt64(count)) + 1
  }
}
