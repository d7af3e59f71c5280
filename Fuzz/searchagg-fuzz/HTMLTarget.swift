import TextFormats

/// HTML of posts.
enum HTMLTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    let read = HTMLText.read(
      String(decoding: input, as: UTF8.self), leavingOutLinksOf: ["hashtag", "mention"])
    for link in read.links {
      // Schemes ignore case.
      let scheme = link.prefix { $0 != ":" }.lowercased()
      precondition(scheme == "http" || scheme == "https", link)
    }
    precondition(Set(read.links).count == read.links.count)
    // Text is hardly longer than its HTML: only entities can expand.
    precondition(read.text.utf8.count <= 64 + 16 * input.count)
    return 0
  }
}
