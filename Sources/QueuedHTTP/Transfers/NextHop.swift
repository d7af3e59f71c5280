/// The hop that the head of a response leads to.
///
/// The rest of the response is read only to keep the connection, and only if that costs little.
struct NextHop {
  /// The most bytes of the body that are read.
  private static let longestBody = 64 << 10
  /// The time that the body may take.
  private static let longestWait = Duration.seconds(1)

  let hop: Hop
  /// The moment from which the body is not waited for any more.
  let end: Moment
  var discarded: Int
  private let length: Int

  /// - Parameter length: The length of the body; negative if unknown.
  init(hop: Hop, length: Int, now: Moment) {
    self.hop = hop
    self.length = length
    end = now + Self.longestWait
    discarded = 0
  }

  var waitsForBody: Bool { length <= Self.longestBody && discarded <= Self.longestBody }
}
