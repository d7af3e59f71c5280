package import QueuedHTTP
internal import TextFormats

/// A web page that names its feeds. https://blog.whatwg.org/feed-autodiscovery
package enum FeedPage {
  private static let types: Set = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    "text/xml", "application/xml",
  ]
  /// The elements that a page may begin with, since `<html>` is optional.
  private static let first: Set = ["html", "head", "title", "meta", "link", "base", "body"]
  /// The elements whose content is not part of the page.
  private static let hidden = ["script", "style", "template", "noscript"]
  private static let mostFeeds = 100

  /// Returns the addresses of the feeds that a page names, in its order; nil for anything but a page.
  ///
  /// - Parameter base: The address of the page.
  package static func feeds(namedBy response: HTTPResponse, at base: String) -> [String]? {
    guard response.isAnswer else { return nil }
    let charset = FeedAnswer.charset(of: response.headers["content-type"])
    let markup = response.body.withUnsafeBytes { unsafe withoutScripts(Array($0)) }
    let document = markup.withUnsafeBytes { bytes in
      unsafe XMLDocument(bytes, charset: charset) { name in
        let key = name.local.lowercased()
        // These have no end tags.
        return (key, role: ["link", "meta", "base"].contains(key) ? .field : .any)
      }
    }
    guard document.roots.contains(where: { first.contains($0.key) }) else { return nil }
    var addresses = AddressList()
    for element in document.elements where element.key == "link" {
      let relations = element["rel"]?.lowercased().split(separator: " ") ?? []
      let type = String((element["type"]?.lowercased().prefix { $0 != ";" } ?? "").trimmed)
      let isFeed =
        relations.contains("feed") || relations.contains("alternate") && types.contains(type)
      guard isFeed, let href = element["href"] else { continue }
      addresses.add(WebLink.resolved(href, against: base))
      if addresses.all.count == mostFeeds { break }
    }
    return addresses.all
  }

  /// Removes scripts and the like, whose content is not part of the page.
  private static func withoutScripts(_ markup: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var rest = markup[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let tag = rest[(start + 1)...]
      let name = tag.prefix { $0.isASCIILetterOrDigit }.map(\.lowercasedASCII)
      guard let element = hidden.first(where: { name.elementsEqual($0.utf8) }) else {
        kept += rest[...start]
        rest = tag
        continue
      }
      kept += rest[..<start]
      rest = tag
      while let end = rest.firstIndex(of: UInt8(ascii: "<")) {
        rest = rest[(end + 1)...]
        let closing = rest.prefix(element.utf8.count + 1).map(\.lowercasedASCII)
        if closing.elementsEqual("/\(element)".utf8) { break }
      }
      rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
    }
    return kept + rest
  }
}
