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

  @Test func `Of a video the best file is the medium, and its preview the thumbnail`() throws {
    let variants = #"""
      [{"content_type":"application/x-mpegURL","url":"https://v.example/a.m3u8"},
      {"bit_rate":2176000,"bitrate":2176000,"content_type":"video/mp4","url":"https://v.example/b.mp4"},
      {"bit_rate":256000,"bitrate":256000,"content_type":"video/mp4","url":"https://v.example/c.mp4"}]
      """#
    let x = try X().page(
      from: answer(
        #"""
        {"data":[{"id":"1","text":"t","attachments":{"media_keys":["7"]}}],"includes":{"media":[
        {"media_key":"7","type":"video","preview_image_url":"https://p.example/p.jpg","variants":\#(variants)}]}}
        """#), to: X().asking("a", at: "https://api.x.com", credentials: ["t"]))
    let classic = try TwitterClassic().page(
      from: answer(
        #"""
        {"statuses":[{"id_str":"1","text":"t","extended_entities":{"media":[{"type":"video",
        "media_url_https":"https://p.example/p.jpg","video_info":{"variants":\#(variants)}}]}}]}
        """#),
      to: TwitterClassic().asking("a", at: "https://classic.example", credentials: ["a", "b"]))
    for page in [x, classic] {
      let medium = try #require(page.posts.first?.attachments.first)
      #expect(medium.url == "https://v.example/b.mp4" && medium.kind == .video)
      #expect(medium.thumbnail == "https://p.example/p.jpg")
    }
  }

  @Test func `An image post of Lemmy has the picture itself as its medium`() throws {
    let body = #"""
      {"posts":[{"post":{"id":1,"name":"t","url":"https://a.example/full.jpg","url_content_type":"image/jpeg",
      "thumbnail_url":"https://a.example/small.jpg"}},
      {"post":{"id":2,"name":"u","url":"https://a.example/page","url_content_type":"text/html",
      "thumbnail_url":"https://a.example/small.jpg"}}]}
      """#
    let posts = try Lemmy().page(
      from: answer(body), to: Lemmy().asking("a", at: "https://lemmy.world")
    ).posts
    #expect(
      posts.map { $0.attachments.first?.url } == [
        "https://a.example/full.jpg", "https://a.example/small.jpg",
      ])
    #expect(posts.map(\.links) == [[], ["https://a.example/page"]])
  }

  @Test func `The comments of an issue's template are not shown`() throws {
    let body = #"""
      {"total_count":1,"items":[{"id":1,"number":1,"title":"t",
      "body":"<!-- Please\r\nread -->\r\nIt fails <!-- where --> here <!-- open"}]}
      """#
    let page = try GitHub().page(
      from: answer(body), to: GitHub().asking("a", at: "https://api.github.com"))
    #expect(page.posts.first?.text == "It fails  here <!-- open")
  }

  @Test func `A relative link is resolved against the page of its post`() throws {
    let body = #"""
      {"items":[{"question_id":1,"title":"t","link":"https://stackoverflow.com/questions/1/t",
      "body":"<a href=\"/questions/9\">x</a>"}]}
      """#
    let page = try StackExchange().page(
      from: answer(body), to: StackExchange().asking("a", at: "https://api.stackexchange.com"))
    #expect(page.posts.first?.links == ["https://stackoverflow.com/questions/9"])
  }
}
