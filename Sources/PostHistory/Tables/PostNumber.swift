/// The numbers of posts: newer posts have greater ones, so that the index hands out its matches newest
/// first without sorting.
///
/// A number is the second in which the post was written, and a count of 1,024 within it; where more
/// posts fall on a second they take numbers of the next ones. So a post is never newer than its number
/// says. Posts without a date, and those dated after they were fetched, come last.
enum PostNumber {
  private static let bits: Int64 = 10
  private static let farthestSecond: Int64 = 1 << 42

  static func isDated(_ number: Int64) -> Bool { number >= firstDated }

  /// The first number of a second, since 1970.
  static func first(ofSecond second: Int64) -> Int64 {
    min(max(second, -farthestSecond), farthestSecond) << bits
  }

  /// The second that a number belongs to: its post is no newer.
  static func second(of number: Int64) -> Int64 { number >> bits }

  static let firstUndated: Int64 = -1 << 60
  /// The end of the numbers of posts that come last.
  static let firstDated = first(ofSecond: -farthestSecond)
}
