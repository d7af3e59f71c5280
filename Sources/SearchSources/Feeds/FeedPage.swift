package import QueuedHTTP
internal import TextFormats

/// A web page that names its feeds. https://blog.whatwg.org/feed-autodiscovery
package enum FeedPage {
  private static let types: Set = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  ]
  private static let mostFeeds = 100

  /// Returns the addresses of the feeds that a page names, in its order; nil for anything but a page.
  ///
  /// - Parameter base: The address of the page.
  package static func feeds(namedBy response: HTTPResponse, at base: String) -> [String]? {
    guard response.isAnswer else { return nil }
    let charset = FeedAnswer.charset(of: response.headers["content-type"])
    let document = response.body.withUnsafeBytes { bytes in
      XMLDocument(bytes, charset: charset) { name in
        let key = name.local.lowercased()
        // These have no end tags.
        return (key, role: ["link", "meta", "base"].contains(key) ? .field : .any)
      }
    }
    guard document.roots.contains(where: { $0.key == "html" }) else { return nil }
    var addresses = AddressList()
    for element in document.elements where element.key == "link" {
      guard let type = element["type"]?.lowercased(), types.contains(type),
        let rel = element["rel"]?.lowercased(), rel.split(separator: " ").contains("alternate"),
        let href = element["href"]
      else { continue }
      addresses.add(WebLink.resolved(href, against: base))
      if addresses.all.count == mostFeeds { break }
    }
    return addresses.all
  }
}
