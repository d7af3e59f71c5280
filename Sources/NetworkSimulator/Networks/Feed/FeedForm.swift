internal import TextFormats

/// The formats of a feed; each document is written from the items of a JSON Feed.
enum FeedForm: String, CaseIterable {
  case json, rss, atom, rdf

  /// Returns the feed that holds these items.
  func document(_ items: [JSONValue], at address: String, next: String?) -> SimulatedAnswer {
    switch self {
    case .json:
      .json(
        .members([
          "version": "https://jsonfeed.org/version/1.1", "title": "Words of the web",
          "home_page_url": "https://blog.example/", "feed_url": .string(address),
          "next_url": next.map { .string($0) }, "items": .array(items),
        ]), type: "application/feed+json; charset=utf-8")
    case .rss: xml(rss(items, next: next), type: "application/rss+xml; charset=utf-8")
    // Types are often as little to be trusted as this one.
    case .atom: xml(atom(items, at: address, next: next), type: "text/plain")
    case .rdf: xml(rdf(items, at: address), type: "application/xml")
    }
  }

  private func xml(_ text: String, type: String) -> SimulatedAnswer {
    SimulatedAnswer(
      headers: [("Content-Type", type)],
      body: Array("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\(text)\n".utf8))
  }

  private func rss(_ items: [JSONValue], next: String?) -> String {
    """
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel>
    <title>Words of the web</title>
    <link>https://blog.example/</link>
    <description>What people write</description>
    \(nextLink(next, element: "atom:link"))
    \(items.map { FeedItem($0).rss }.joined(separator: "\n"))
    </channel>
    </rss>
    """
  }

  private func atom(_ items: [JSONValue], at address: String, next: String?) -> String {
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://blog.example/">
    <title>Words of the web</title>
    <id>tag:blog.example,2026:feed</id>
    <link rel="self" href="\(Markup.escaped(address))"/>
    \(nextLink(next, element: "link"))
    \(items.map { FeedItem($0).atom }.joined(separator: "\n"))
    </feed>
    """
  }

  private func rdf(_ items: [JSONValue], at address: String) -> String {
    """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
    xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:content="http://purl.org/rss/1.0/modules/content/">
    <channel rdf:about="\(Markup.escaped(address))">
    <title>Words of the web</title>
    <link>https://blog.example/</link>
    <description>What people write</description>
    </channel>
    \(items.map { FeedItem($0).rdf }.joined(separator: "\n"))
    </rdf:RDF>
    """
  }

  private func nextLink(_ next: String?, element: String) -> String {
    next.map { "<\(element) rel=\"next\" href=\"\(Markup.escaped($0))\"/>" } ?? ""
  }
}
