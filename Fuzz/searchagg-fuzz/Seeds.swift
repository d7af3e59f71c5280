import FoundationEssentials
import NetworkSimulator
import QueuedHTTP
import SearchModel
import SearchSources

/// Seed inputs: responses of the simulated networks, and a few small ones of each kind.
enum Seeds {
  static func write(to folder: URL) async throws {
    try await writeAnswers(to: folder)
    for (target, seeds) in small {
      for (index, seed) in seeds.enumerated() {
        try write(Array(seed.utf8), folder, target, "\(index)")
      }
    }
    for (index, seed) in BodiesTarget.seeds.enumerated() {
      try write(seed, folder, "bodies", "\(index)")
    }
  }

  private static func writeAnswers(to folder: URL) async throws {
    let simulator = try await Simulator.start(seed: 7, now: AnswersTarget.now) {
      AnswersTarget.now
    }
    let client = HTTPClient()
    for (index, source) in Sources.all.enumerated() {
      for fault in [nil, "~hostile", "~broken-item", "~status=400", "~status=429"] {
        let name = "\(source.name)\(fault ?? "")"
        guard let body = try await answer(of: source, fault, simulator, client) else { continue }
        // Short ones, which libFuzzer works best with.
        guard body.count <= 64 << 10 else { continue }
        let status = fault == "~status=400" ? 3 : fault == "~status=429" ? 8 : 0
        try write([UInt8(index), UInt8(status)] + body, folder, "answers", name)
      }
    }
    await client.shutdown()
    await simulator.stop()
  }

  /// The response of a source's network; nil for one that is not simulated.
  private static func answer(
    of source: any Source, _ fault: String?, _ simulator: Simulator, _ client: HTTPClient
  ) async throws -> [UInt8]? {
    let name = source.name.rawValue
    guard Simulator.sources.contains(name), let query = Query("#swift"),
      let server = ServerAddress(simulator.address(of: name, fault: fault)),
      let sound = ServerAddress(simulator.address(of: name))
    else { return nil }
    let values = source.traits.credentialNames.compactMap { simulator.environment[$0] }
    let credentials = values.isEmpty ? nil : Credentials(values)
    var asked = PageRequest(
      source.split(query, with: credentials), server: server,
      wanted: source.traits.pageSize.lowerBound,
      credentials: credentials, now: AnswersTarget.now)
    if let credentials, let login = source.loginRequest(to: sound, with: credentials) {
      asked.session = try source.session(from: try await client.send(login), to: asked)
    }
    var request = try source.request(for: asked)
    request.judge = { _, _ in .done }
    return try await client.send(request).body.withUnsafeBytes { Array($0) }
  }

  private static func write(
    _ bytes: [UInt8], _ folder: URL, _ target: String, _ name: String
  ) throws {
    let place = folder.appending(path: target)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(bytes).write(to: place.appending(path: name))
  }

  private static let small: [String: [String]] = [
    "dates": [
      "2026-11-21T09:00:00Z", "2026-11-21T09:00:00.123456+05:30", "2026-11-21 09:00",
      "2026-11-21", "Sat, 21 Nov 2026 09:00:00 GMT", "21 Nov 26 09:00 EST",
      "Saturday, 21-Nov-26 09:00:00 GMT", "Sat Nov 21 09:00:00 +0000 2026", "1795255200",
      "1795255200000", "1.795e9", "120",
    ],
    "feeds": [
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss version=\"2.0\"><channel><title>f</title>"
        + "<item><title>swift &eacute;</title><link>/a</link><guid isPermaLink=\"false\">1</guid>"
        + "<pubDate>Sat, 21 Nov 26 09:00 EST</pubDate><author>a@b.example (A)</author>"
        + "<description><![CDATA[<p>swift</p>]]></description></item></channel></rss>",
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://a.example/\"><entry><id>1</id>"
        + "<title type=\"html\">&lt;b&gt;swift</title><link rel=\"alternate\" href=\"x\"/>"
        + "<updated>2026-11-21T09:00:00Z</updated><content type=\"xhtml\"><div "
        + "xmlns=\"http://www.w3.org/1999/xhtml\">a<br/>b</div></content></entry></feed>",
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/"
        + "1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><item rdf:about=\"u\"><title>swift"
        + "</title><dc:date>2026-11</dc:date><dc:creator>A</dc:creator></item></rdf:RDF>",
      "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":1,\"content_html\":\"swift"
        + "\",\"authors\":[{\"name\":\"A\"}]}],\"next_url\":\"https://example.org/2\"}",
      "<!DOCTYPE r [<!ENTITY a \"&b;&b;\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]><rss>&a;</rss>",
    ],
    "heads": HeadsTarget.seeds,
    "html": [
      "<p>One <b>two</b><br>three &amp; four</p><p>five</p>",
      "<ul><li>a<li>b</ul><ol><li>c</ol><blockquote>d</blockquote><pre>  e\n f</pre>",
      "<a href=\"https://example.org/?a=1&amp;b=2\">x</a> <a class=\"mention hashtag\" href=/t>#t</a>",
      "&lt;script&gt; &#x1F600; &#0; &notanentity; <script>no</script><style>no</style>",
      "<![CDATA[ x ]]><!-- y --><?z?><svg><title>q</title></svg><table><tr><td>1<td>2</table>",
    ],
    "links": [
      "<https://example.org/api?max_id=1>; rel=\"next\", <https://example.org/?min_id=2>; rel=\"prev\"",
      "<https://example.org/search?page=2&per_page=30>; rel=next", "<?max_id=9>;rel=next;a=\"b,c\"",
    ],
    "tags": [
      "{\"version\":1,\"tags\":[{\"query\":\"#swift\",\"sources\":[\"x\",\"mastodon\"],"
        + "\"priority\":\"high\",\"limit\":40,\"added\":\"2026-11-21T09:00:00Z\",\"more\":{}}]}",
      "[\"swift\", \"#linux\", \"caf\\u00e9\", {\"query\": \"a\"}]", "{\"tags\": []}",
      "swift\n# linux\n\n\"two words\"\n", "\u{FEFF}[1e5, null, true, \"\\ud83d\\ude00\"]",
    ],
  ]
}
