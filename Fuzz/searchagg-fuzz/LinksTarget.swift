import QueuedHTTP
import SearchModel
import SearchSources

/// `Link` headers, read by the sources that use them for paging.
enum LinksTarget {
  static func read(_ input: [UInt8]) -> Int32 {
    let header = String(decoding: input, as: UTF8.self)
    let response = HTTPResponse(status: 200, headers: ["Link": header], body: body)
    guard let query = Query("#swift"), let server = ServerAddress("https://example.org") else {
      preconditionFailure("the search is sound")
    }
    for source in Sources.all {
      let asked = PageRequest(
        source.split(query, with: nil), server: server, wanted: 40, now: AnswersTarget.now)
      guard let page = try? source.page(from: response, to: asked), let next = page.next else {
        continue
      }
      var following = asked
      following.cursor = next
      guard let request = try? source.request(for: following) else { continue }
      precondition(request.url.hasPrefix("https://example.org/"), request.url)
      precondition(request.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, request.url)
    }
    return 0
  }

  /// A list with one post, for most sources that read lists.
  private static let body = HTTPBody(
    Array(
      """
      [{"id": "1", "uri": "https://example.org/1", "created_at": "2026-11-20T12:00:00Z",
        "content": "x", "account": {"acct": "a"}}]
      """.utf8))
}
