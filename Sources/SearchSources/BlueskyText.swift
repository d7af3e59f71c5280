internal import TextFormats

/// The text of a Bluesky post, whose links stand beside it as facets.
enum BlueskyText {
  /// Returns the text with each shortened address shown whole; nil when it is no string.
  ///
  /// Facets count UTF-8 bytes. https://docs.bsky.app/docs/advanced-guides/post-richtext
  static func plain(
    _ node: JSONNode, of record: JSONNode, adding links: inout AddressList
  ) -> String? {
    guard let bytes = node.stringBytes else { return nil }
    var shortened: [(range: Range<Int>, address: String)] = []
    for facet in record.list("facets") {
      for feature in facet.list("features") {
        guard let address = feature["uri"]?.string, WebAddress.isOne(address) else { continue }
        links.add(address)
        guard let start = facet["index"]?["byteStart"]?.count,
          let end = facet["index"]?["byteEnd"]?.count, start >= 0, start < end, end <= bytes.count
        else { continue }
        let shown = String(decoding: bytes[start..<end], as: UTF8.self)
        if WebAddress.isShortened(shown, of: address),
          !shortened.contains(where: { $0.range.overlaps(start..<end) })
        {
          shortened.append((start..<end, address))
        }
      }
    }
    guard !shortened.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
    shortened.sort { $0.range.lowerBound < $1.range.lowerBound }
    var text: [UInt8] = []
    var position = 0
    for (range, address) in shortened {
      text.append(contentsOf: bytes[position..<range.lowerBound])
      text.append(contentsOf: address.utf8)
      position = range.upperBound
    }
    text.append(contentsOf: bytes[position...])
    return String(decoding: text, as: UTF8.self)
  }
}
