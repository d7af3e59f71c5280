import TextFormats

/// Pieces of HTML, as posts hold them.
enum HTMLTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    let read = HTMLText.read(
      String(decoding: input, as: UTF8.self), leavingOutLinksOf: ["hashtag", "mention"])
    for link in read.links {
      // Case does not count in a scheme.
      let scheme = link.prefix { $0 != ":" }.lowercased()
      precondition(scheme == "http" || scheme == "https", link)
    }
    precondition(Set(read.links).count == read.links.count)
    // No piece of HTML says more than it holds: entities are the longest that a text can grow.
    precondition(read.text.utf8.count <= 64 + 16 * input.count)
    return 0
  }
}
