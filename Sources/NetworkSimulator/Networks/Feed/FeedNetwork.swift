internal import TextFormats

/// Sites with feeds: a search in each of four formats, `search.rss?q=WORDS`, the newest of some
/// subjects without a search, `all.rss`, and a list of releases, `releases.rss`, which begins with the
/// oldest one, gives one page to all and one identifier to many, as those of real channels do. The page
/// `blog` names its feeds.
///
/// <https://www.rssboard.org/rss-specification>, <https://www.rfc-editor.org/rfc/rfc4287>,
/// <http://web.resource.org/rss/1.0/spec>, <https://www.jsonfeed.org/version/1.1/>
struct FeedNetwork: SimulatedNetwork {
  let name = "feed"

  /// The ends of the addresses printed for it.
  static let documents =
    FeedForm.allCases.map { "search.\($0.rawValue)?q={query}" } + ["all.atom"]

  private static let subjects = ["swift", "swiftlang", "linux", "libcurl", "opensource"]
  private static let size = 40

  func answer(to request: SimulatedRequest, in world: SimulatedWorld) -> SimulatedAnswer {
    if request.method == "GET", request.route == ["blog"] { return page }
    let parts = (request.route.first ?? "").split(separator: ".").map(String.init)
    guard request.method == "GET", request.route.count == 1, parts.count == 2,
      let form = FeedForm(rawValue: parts[1])
    else { return refusal(404, to: request) }
    let parameters = Parameters(request.query)
    guard let number = Int(parameters["page"] ?? "1"), number >= 1 else {
      return refusal(400, to: request)
    }
    // Each is a site of its own.
    let site = parts.joined(separator: ".")
    var json = { post in self.json(post) }
    let found: [CorpusPost]
    switch parts[0] {
    case "search":
      guard let query = parameters["q"], !query.isEmpty else { return refusal(400, to: request) }
      found = world.posts(QueryTerms(query), network: site)
    case "all":
      found = Self.subjects.flatMap { world.posts(QueryTerms($0), network: site) }
        .sorted { ($0.milliseconds, $0.mark) > ($1.milliseconds, $1.mark) }
    case "releases":
      found = world.posts(QueryTerms("releases"), network: site).reversed()
      json = { post in
        self.json(
          post, id: post.mark % 2 == 0 ? "stable" : "beta", url: "https://blog.example/releases")
      }
    default: return refusal(404, to: request)
    }
    let page = world.cut(found, at: (number - 1) * Self.size, size: Self.size)
    let items = world.items(
      page.shown.map(json), id: "id", text: ["title", "content_html"],
      date: "date_published")
    let address = "http://\(request.host)\(request.path)"
    let query = parameters["q"].map { "q=\(PercentDecoding.encode($0))&" } ?? ""
    let upcoming = world.paging == .selfCursor && number > 1 ? number : number + 1
    let base = world.paging == .deadCursor ? "https://elsewhere.example/" : address
    let next = page.next.map { _ in "\(base)?\(query)page=\(upcoming)" }
    return form.document(items, at: address, next: next)
  }

  private let page = SimulatedAnswer.html(
    """
    <!doctype html>
    <html lang=en><head><meta charset=utf-8><title>Blog</title>
    <link rel=stylesheet href=style.css>
    <link rel="alternate" type="application/rss+xml" title="Posts &amp; notes" href="all.rss">
    <link rel=alternate type=application/atom+xml href="/feed/all.atom">
    </head><body><p>Read our <a href="all.rss">feed</a><br>or not.</body></html>

    """)

  /// An item of JSON Feed, which the other formats are written from.
  ///
  /// - Parameters:
  ///   - id: An identifier that others share; nil for one of its own.
  ///   - url: A page that others share; nil for one of its own.
  private func json(_ post: CorpusPost, id: String? = nil, url: String? = nil) -> JSONValue {
    let own = Alphabet.base32.random(10, seed: post.mark)
    let isEdited = post.shape == .edited
    return .members([
      "id": .string("tag:blog.example,2026:\(id ?? own)"),
      "url": .string(url ?? "https://blog.example/\(post.author.handle)/\(own)"),
      "title": .string(post.title),
      "content_html": .string(Markup.paragraphs(post.pieces)),
      "date_published": .string(DateForms.seconds(post.milliseconds)),
      "date_modified": isEdited ? .string(DateForms.seconds(post.milliseconds + 60_000)) : nil,
      "authors": .array([
        .members([
          "name": .string(post.author.name.isEmpty ? post.author.handle : post.author.name),
          "url": .string("https://blog.example/\(post.author.handle)"),
        ])
      ]),
      "tags": .texts(post.hashtags),
      "language": .text(post.language),
      "image": post.hasImage ? .string("https://blog.example/images/\(own).png") : nil,
    ])
  }

  func refusal(_ status: Int, to request: SimulatedRequest) -> SimulatedAnswer {
    .html(
      "<html><head><title>\(status) \(ReasonPhrase.of(status))</title></head>\n"
        + "<body><center><h1>\(status) \(ReasonPhrase.of(status))</h1></center></body></html>\n",
      status: status)
  }

  func slowDown(_ wait: Wait, to request: SimulatedRequest) -> SimulatedAnswer {
    refusal(429, to: request).adding("Retry-After", DateForms.http(wait.end))
  }
}
