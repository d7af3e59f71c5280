internal import TextFormats

/// lore.kernel.org, which runs public-inbox: mails as an Atom feed. Nothing found is a page with status 404, and an
/// unknown archive a line with the same status. Beyond the last mail a feed consists of its end tag alone.
///
/// <https://public-inbox.org/public-inbox.git/tree/lib/PublicInbox/SearchView.pm>, `WWW.pm` and
/// `WwwAtomStream.pm`
struct PublicInboxService: CatalogService {
  let name: String
  let routes = [[], ["all"]]
  let parameters: [String: ParameterRule] = [
    "q": .required, "x": .choice(["A"]), "l": .integer(1...200), "o": .integer(0...Int.max),
    "r": .text,
  ]

  private static let size = 200

  func answer(_ call: CatalogCall) throws(CatalogError) -> SimulatedAnswer {
    guard call["x"] == "A" else {
      return .html("<html><head><title>search results</title></head></html>")
    }
    let found = call.posts(call["q"] ?? "")
    let page = call.page(
      found, at: call.integer("o", default: 0), size: call.integer("l", default: Self.size),
      namesNext: false)
    guard !found.isEmpty else {
      // Version 1.9 means to say it, and does not.
      let words = name == "lore" ? "<pre>\n[No results found]</pre><hr>" : ""
      return Self.page(titled: "\(call["q"] ?? "") - search results", words, status: 404)
    }
    guard !page.shown.isEmpty else { return Self.feed("</feed>") }
    let entries = call.world.items(
      page.shown.map { json($0) }, id: "id", text: ["title", "content"],
      date: "updated")
    return Self.feed(
      """
      <?xml version="1.0" encoding="us-ascii"?>
      <feed
      xmlns="http://www.w3.org/2005/Atom"
      xmlns:thr="http://purl.org/syndication/thread/1.0"><title>\
      \(Self.ascii(Markup.escaped(call["q"] ?? ""))) - search results</title><link
      rel="alternate"
      type="text/html"
      href="https://lore.kernel.org/all/"/><id>urn:uuid:e4e4cb11-6c40-b721-0545-7c87af9d104a</id>\
      <updated>2026-11-20T12:00:00Z</updated>\(entries.map(xml).joined())</feed>
      """)
  }

  private static func feed(_ text: String) -> SimulatedAnswer {
    SimulatedAnswer(headers: [("Content-Type", "application/atom+xml")], body: Array(text.utf8))
  }

  private func json(_ post: CorpusPost) -> JSONValue {
    let mail = "\(post.milliseconds).\(post.mark % 1_000_000)-1-\(post.author.handle)@dev.example"
    let isReply = post.shape == .reply
    return .members([
      "name": post.author.name.isEmpty ? nil : .string(post.author.name),
      "email": .string("\(post.author.handle)@dev.example"),
      "title": .string((isReply ? "Re: " : "") + post.title),
      "updated": .string(DateForms.seconds(post.milliseconds)),
      "link": .string("https://lore.kernel.org/all/\(mail)/"),
      "id": .string("urn:uuid:\(uuid(post.mark))"),
      "reply": isReply
        ? .string("https://lore.kernel.org/all/\(post.earlierMark)@dev.example/") : nil,
      "content": .string(post.plainText),
    ])
  }

  private func uuid(_ mark: UInt64) -> String {
    let digits = Array(Alphabet.hexadecimal.random(32, seed: mark))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
      .joined(separator: "-")
  }

  /// Its attributes are on lines of their own.
  private func xml(_ entry: JSONValue) -> String {
    AtomElement.entry(entry) { entry in
      [
        "<author>\(entry.element("name"))\(entry.element("email"))</author>",
        entry.element("title"), entry.element("updated"),
        entry.texts("link").map { "<link\nhref=\"\($0)\"/>" }.joined(), entry.element("id"),
        entry.texts("reply").map {
          "<thr:in-reply-to\nref=\"urn:uuid:868f20c5-061c-53f7-b784-4dbf70271ffe\"\nhref=\"\($0)\"/>"
        }.joined(),
        entry.texts("content").map {
          "<content\ntype=\"xhtml\"><div\nxmlns=\"http://www.w3.org/1999/xhtml\"><pre\n"
            + "style=\"white-space:pre-wrap\">\($0)\n</pre></div></content>"
        }.joined(),
      ].map(Self.ascii)
    }
  }

  /// The text with character references for all that is not ASCII.
  private static func ascii(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { ascii, scalar in
      if scalar.isASCII {
        ascii.unicodeScalars.append(scalar)
      } else {
        ascii += "&#\(scalar.value);"
      }
    }
  }

  func failure(_ error: CatalogError) -> SimulatedAnswer {
    if error.status == 404 { return .plain("404 Not Found ", status: 404) }
    return Self.page(
      titled: error.message, "<pre>\(Markup.escaped(error.message))</pre>", status: error.status)
  }

  private static func page(titled title: String, _ body: String, status: Int) -> SimulatedAnswer {
    .html(
      "<html><head><title>\(Markup.escaped(title))</title></head><body>\(body)</body></html>",
      status: status)
  }
}
