internal import SearchModel
internal import TextFormats

/// The text of a tweet, with `t.co` addresses expanded and `&amp;` decoded.
///
/// Valid as long as the node that it was made of.
struct TweetText {
  /// The most addresses that are looked at, and the most places where one is searched for: no tweet has as many,
  /// and each is compared with those before it.
  private static let most = 250

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The byte ranges of short addresses, without overlaps, and their expansions.
  private var found = ShortList<Expansion>()

  private var asked = 0
  private var searched = 0

  private typealias Expansion = (range: Range<Int>, expanded: UnsafeBufferPointer<UInt8>)

  /// Creates a text from a string node; nil for any other kind of node.
  init?(_ node: JSONNode) {
    guard let bytes = node.stringBytes else { return nil }
    // Twice what a post keeps: the rest is never shown.
    self.bytes = UnsafeBufferPointer(rebasing: bytes.prefix(2 * BoundedText.longest))
  }

  /// Expands a short address.
  ///
  /// X sometimes replaces the text in which the offsets were counted: an address that is not at its
  /// offset is searched for.
  ///
  /// - Parameter start: Its offset in code points of the delivered text, before `&amp;` is decoded.
  mutating func expand(_ short: JSONNode, at start: Int?, to expanded: JSONNode) {
    guard asked < Self.most, let short = short.stringBytes, !short.isEmpty,
      let expanded = expanded.stringBytes
    else { return }
    asked += 1
    if let start = start.flatMap({ Self.byteOffset(ofCodePoint: $0, in: bytes) }),
      ByteSearch.occurs(short, at: start, in: bytes)
    {
      let range = start..<start + short.count
      if isFree(range) { found.append((range, expanded)) }
      return
    }
    var next = ByteSearch.first(short, in: bytes, from: 0)
    while let start = next, searched < Self.most {
      searched += 1
      let range = start..<start + short.count
      if isFree(range), !isWithinWord(range.upperBound) {
        found.append((range, expanded))
        return
      }
      next = ByteSearch.first(short, in: bytes, from: start + 1)
    }
  }

  /// The text with all expansions.
  var plain: String {
    var text = ByteBlock(capacity: bytes.count)
    append(to: &text)
    return text.read { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends the text with all expansions.
  func append(to text: inout ByteBlock) {
    var position = 0
    if found.count < 2 {
      if let only = found.first { append(only, from: &position, to: &text) }
    } else {
      for expansion in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
        append(expansion, from: &position, to: &text)
      }
    }
    Entities.append(decodingUTF8: UnsafeBufferPointer(rebasing: bytes[position...]), to: &text)
  }

  /// Appends the text from a position to a short address, and that address expanded; moves the position after it.
  private func append(
    _ expansion: Expansion, from position: inout Int, to text: inout ByteBlock
  ) {
    let before = bytes[position..<expansion.range.lowerBound]
    Entities.append(decodingUTF8: UnsafeBufferPointer(rebasing: before), to: &text)
    text.append(expansion.expanded)
    position = expansion.range.upperBound
  }

  private func isFree(_ range: Range<Int>) -> Bool {
    !found.contains { $0.range.overlaps(range) }
  }

  /// `t.co/abc` does not contain `t.co/ab`.
  private func isWithinWord(_ end: Int) -> Bool {
    end < bytes.count && bytes[end].isASCIILetterOrDigit
  }

  private static func byteOffset(
    ofCodePoint index: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard index >= 0 else { return nil }
    var seen = 0
    var position = 0
    // Eight bytes at a time, less those within a character: `10xxxxxx`.
    let raw = UnsafeRawBufferPointer(text)
    while position + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let further = word & ~(word << 1) & 0x8080_8080_8080_8080
      let count = 8 - further.nonzeroBitCount
      if seen + count > index { break }
      seen += count
      position += 8
    }
    while position < text.count {
      if text[position] & 0xC0 != 0x80 {
        if seen == index { return position }
        seen += 1
      }
      position += 1
    }
    return nil
  }
}

extension TweetText {
  /// The author and the text of a retweet, `RT @amy: the text`; nil for any other text.
  static func retweet(_ text: String) -> (handle: String, text: String)? {
    // Most other texts differ in the first letter.
    guard text.utf8.first == UInt8(ascii: "R"), text.hasPrefix("RT @") else { return nil }
    let name = text.utf8.dropFirst(4).prefix { $0 != UInt8(ascii: ":") }
    let rest = text.utf8[name.endIndex...]
    let handle = String(Substring(name))
    guard rest.starts(with: ": ".utf8), HandleCharacters.areAll(handle, signs: "_", count: 1...20)
    else { return nil }
    return (handle, String(Substring(rest.dropFirst(2))))
  }

  /// The kind of a medium of a tweet, by its `type`.
  /// The address of the best of a video's versions; nil if none is a file.
  static func video(among variants: NodeList?) -> String? {
    func rate(_ variant: JSONNode) -> Int {
      (variant["bit_rate"] ?? variant["bitrate"])?.count ?? 0
    }
    return (variants ?? NodeList(nil)).filter { $0["content_type"]?.isString("video/mp4") == true }
      .max { rate($0) < rate($1) }?["url"]?.address
  }

  static func kind(ofMedium type: String?) -> PostAttachment.Kind? {
    switch type {
    case "photo": .image
    case "video", "animated_gif": .video
    default: nil
    }
  }
}
