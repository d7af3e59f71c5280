internal import TextFormats

/// What X and its forerunners have in common: escaped texts, t.co links and snowflake ids.
enum TwitterText {
  /// X escapes just these three (apis of 2010 the double quote too).
  static let style = SpannedText.Style(
    unit: .codePoints, escapes: ["&": "&amp;", "<": "&lt;", ">": "&gt;"], link: shortened)
  static let firstStyle = SpannedText.Style(
    unit: .codePoints, escapes: ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"],
    link: shortened)

  /// What stands at the end of an image's link.
  static let imageSuffix = "/photo/1"

  /// Returns the t.co address of a link.
  @Sendable static func shortened(_ address: String) -> String {
    "https://t.co/" + Alphabet.base62.random(10, seed: StableHash.of("t.co", address))
  }

  /// Returns a link as people are shown it.
  static func display(_ address: String) -> String {
    if address.hasSuffix(imageSuffix) { return "pic.twitter.com/" + shortened(address).suffix(10) }
    let schemes = ["https://", "http://"]
    let scheme = schemes.first { address.hasPrefix($0) } ?? ""
    let shown = address.dropFirst(scheme.count)
    return shown.count > 26 ? shown.prefix(26) + "…" : String(shown)
  }

  /// Returns the id of a post: its milliseconds since 2010-11-04, then 22 bits of its own.
  static func snowflake(_ post: CorpusPost) -> UInt64 { snowflake(post.milliseconds, post.mark) }

  static func snowflake(_ moment: Int, _ mark: UInt64) -> UInt64 {
    UInt64(max(0, moment - epoch)) << 22 | (mark >> 42)
  }

  /// Returns when the post of that id was made, in milliseconds since 1970.
  static func moment(of snowflake: UInt64) -> Int { Int(snowflake >> 22) + epoch }

  private static let epoch = 1_288_834_974_657

  static func userID(_ author: CorpusAuthor) -> UInt64 {
    // Accounts from before the snowflakes have short ids.
    author.mark % 3 == 0 ? author.mark % 4_000_000_000 : author.mark % 1_900_000_000_000_000_000
  }

  /// Returns the parts of a post's text, with what a repost and an image add.
  static func pieces(_ post: CorpusPost) -> [TextPiece] {
    var pieces = post.pieces
    if post.hasImage, post.shape != .repost {
      pieces += [.words(" "), .link(imageAddress(post))]
    }
    if post.shape == .repost {
      pieces = [.words("RT "), .mention(post.other), .words(": ")] + pieces
    }
    return pieces
  }

  static func imageAddress(_ post: CorpusPost) -> String {
    "https://x.com/\(post.author.handle)/status/\(snowflake(post))" + imageSuffix
  }
}
