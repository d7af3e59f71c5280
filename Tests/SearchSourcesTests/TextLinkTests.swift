import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The links of networks whose texts are plain or in Markdown.
struct TextLinkTests {
  private static let text =
    #"See https://a.example/x, [this](https://b.example/y_(z)) and https://a.example/x"#
  private static let own = "https://own.example/1"

  /// A response of each network with one post, whose text is the one above and then the post's own address.
  private static let responses: [(source: any Source, server: String, body: String)] = [
    (
      Lemmy(), "https://lemmy.world",
      #"{"posts":[{"post":{"id":1,"name":"t","ap_id":"\#(own)","body":"\#(text) \#(own)"}}]}"#
    ),
    (
      Misskey(), "https://misskey.io",
      #"[{"id":"1","uri":"\#(own)","text":"\#(text) \#(own)","user":{"username":"amy"}}]"#
    ),
    (
      GitHub(), "https://api.github.com",
      #"""
      {"total_count":1,"items":[{"id":1,"number":1,"title":"t","html_url":"\#(own)",
      "body":"\#(text) \#(own)","user":{"login":"amy"}}]}
      """#
    ),
    (
      Threads(), "https://graph.threads.net",
      #"{"data":[{"id":"1","permalink":"\#(own)","text":"\#(text) \#(own)"}]}"#
    ),
    (
      Discourse(), "https://meta.discourse.org",
      #"""
      {"posts":[{"id":1,"topic_id":2,"username":"amy","blurb":"\#(text) https://cut.exam"}],
      "topics":[{"id":2,"title":"t"}]}
      """#
    ),
    (
      YouTube.network, "https://www.googleapis.com",
      #"""
      {"items":[{"id":{"videoId":"1"},"snippet":{"title":"t","description":"\#(text) https://cut.exam",
      "publishedAt":"2026-01-01T00:00:00Z"}}]}
      """#
    ),
  ]

  @Test(arguments: responses.indices) func `Addresses in a text are links of the post`(
    index: Int
  ) throws {
    let (source, server, body) = Self.responses[index]
    let page = try source.page(
      from: answer(body), to: source.asking("#swift", at: server, credentials: ["secrettoken"]))
    let post = try #require(page.posts.first)
    #expect(post.links == ["https://a.example/x", "https://b.example/y_(z)"], "\(source.name)")
  }
}
