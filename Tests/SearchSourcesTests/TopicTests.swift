import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The topics and attachments that networks say about posts.
@Suite(.serialized) struct TopicTests {
  /// The networks that name a post's tags; those of the others say nothing about it.
  private static let tagged = [
    "bluesky", "devto", "discourse", "feed", "lobsters", "mastodon", "misskey", "stackexchange",
    "tumblr", "twitter-classic", "x",
  ]

  @Test(arguments: tagged)
  func `A network's tags become topics`(name: String) async throws {
    try await SimulatedAsking.with(name) { asking in
      let posts = try await asking.page("#swift", wanted: 30).page.posts
      let found = posts.filter { $0.topics.contains { Topic.key($0) == "swift" } }
      #expect(found.count >= posts.count / 2 && found.count >= 10, "\(found.count)")
    }
  }

  @Test func `Labels and flairs become topics`() async throws {
    try await SimulatedAsking.with("github") { asking in
      let posts = try await asking.page("#swift").page.posts
      #expect(posts.allSatisfy { $0.topics == ["bug"] })
    }
    try await SimulatedAsking.with("reddit") { asking in
      let posts = try await asking.page("#swift").page.posts
      #expect(posts.contains { $0.topics == ["Show & tell"] } && posts.contains { $0.topics == [] })
      let feed = try await asking.page("#swift", isAnonymous: true).page.posts
      #expect(feed.allSatisfy { $0.topics == ["programming"] })
    }
  }

  private func page(_ name: String, _ body: String) throws -> [Post] {
    let source = try #require(Sources.named(name))
    return try source.page(
      from: answer(body),
      to: source.asking(
        "#a", at: source.traits.defaultServer ?? "https://f.example/feed", credentials: ["k"],
        session: Session(accessToken: "t"))
    ).posts
  }

  @Test(arguments: [
    ("devto", #"[{"id":7,"title":"t","tag_list":"a, b c"}]"#, ["a", "b c"]),
    ("devto", #"[{"id":7,"title":"t","tag_list":["a","b",5,""]}]"#, ["a", "b"]),
    (
      "discourse",
      #"{"posts":[{"id":1,"topic_id":2,"blurb":"x"}],"topics":[{"id":2,"title":"t","tags":["a",{"id":1,"name":"B c"},7]}]}"#,
      ["a", "B c"]
    ),
    (
      "bluesky",
      ##"{"posts":[{"uri":"at://d/c/1","author":{"handle":"h"},"record":{"text":"#a","tags":["b","a"],"facets":[{"features":[{"tag":"a"},{"uri":"https://x.example"}]},5]}}]}"##,
      ["a", "b"]
    ),
    ("lobsters", #"[{"short_id":"x","title":"t","tags":["vim",null,"c++"]}]"#, ["vim", "c++"]),
    (
      "github",
      #"{"items":[{"id":1,"title":"t","labels":[{"name":"good first issue"},{"id":5},"bug"]}]}"#,
      ["good first issue"]
    ),
    (
      "x",
      ##"{"data":[{"id":"1","text":"#a #b","entities":{"hashtags":[{"tag":"a"},{"start":3},{"tag":"b"}]}}]}"##,
      ["a", "b"]
    ),
    (
      "feed",
      #"<rss><channel><item><title>a</title><category>One &amp; two</category><category term="cs.SE" label="Software"/></item></channel></rss>"#,
      ["One & two", "cs.SE"]
    ),
    ("hackernews", #"{"hits":[{"objectID":"1","title":"t","_tags":["story"]}]}"#, []),
  ])
  func `Topics are read as they are spelled, and nothing else`(
    name: String, body: String, topics: [String]
  ) throws {
    #expect(try page(name, body).map(\.topics) == [topics])
  }

  @Test(arguments: [
    (
      "mastodon",
      #"[{"id":"1","content":"x","media_attachments":[{"type":"gifv","url":"https://f.example/1.mp4","preview_url":"https://f.example/s.png","description":"A cat"},{"type":"unknown","url":null,"remote_url":"https://r.example/2","description":null}]}]"#,
      [
        PostAttachment(
          "https://f.example/1.mp4", kind: .video, description: "A cat",
          thumbnail: "https://f.example/s.png"), PostAttachment("https://r.example/2"),
      ]
    ),
    (
      "bluesky",
      #"{"posts":[{"uri":"at://d/c/1","author":{"handle":"h"},"record":{"text":""},"embed":{"media":{"images":[{"fullsize":"https://f.example/1","thumb":"https://t.example/1","alt":"Text"}]},"playlist":"https://v.example/p.m3u8","thumbnail":"javascript:x","alt":""}}]}"#,
      [
        PostAttachment("https://v.example/p.m3u8", kind: .video),
        PostAttachment(
          "https://f.example/1", kind: .image, description: "Text",
          thumbnail: "https://t.example/1"),
      ]
    ),
    (
      "misskey",
      #"[{"id":"1","text":"x","files":[{"url":"https://f.example/1","type":"video/mp4","comment":"Film","thumbnailUrl":"https://f.example/t"}]}]"#,
      [
        PostAttachment(
          "https://f.example/1", type: "video/mp4", description: "Film",
          thumbnail: "https://f.example/t")
      ]
    ),
    (
      "x",
      #"{"data":[{"id":"1","text":"a","attachments":{"media_keys":["3_1","7_1","8"]}}],"includes":{"media":[{"media_key":"3_1","type":"photo","url":"https://p.example/1.jpg","alt_text":"Alt"},{"media_key":"7_1","type":"video","preview_image_url":"https://p.example/v.jpg"}]}}"#,
      [
        PostAttachment("https://p.example/1.jpg", kind: .image, description: "Alt"),
        PostAttachment(
          "https://p.example/v.jpg", kind: .video, thumbnail: "https://p.example/v.jpg"),
      ]
    ),
    (
      "feed",
      #"<rss><channel><item><title>a</title><enclosure url="/1.mp3" type="audio/mpeg" length="1"/><media:group><media:content url="/2" medium="image"><media:description>A &amp;lt;b&amp;gt;</media:description><media:thumbnail url="/s"/></media:content></media:group></item></channel></rss>"#,
      [
        PostAttachment(
          "https://f.example/2", kind: .image, description: "A <b>",
          thumbnail: "https://f.example/s"),
        PostAttachment("https://f.example/1.mp3", type: "audio/mpeg"),
      ]
    ),
    (
      "feed",
      #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"a","image":"/i","attachments":[{"url":"/a","mime_type":"audio/x-m4a","title":"Talk"}]}]}"#,
      [
        PostAttachment("https://f.example/a", type: "audio/x-m4a", description: "Talk"),
        PostAttachment("https://f.example/i", kind: .image),
      ]
    ),
  ])
  func `Attachments are read as far as the network describes them`(
    name: String, body: String, attachments: [PostAttachment]
  ) throws {
    #expect(try page(name, body).map(\.attachments) == [attachments])
  }

  @Test(arguments: Recorded.all)
  func `Recorded posts keep their topics and their descriptions`(recorded: Recorded) throws {
    var topics: [String: Set<String>] = [:]
    var described = 0
    for (folder, name) in [
      ("mastodon", "mastodon"), ("lobsters", "lobsters"), ("stackexchange", "stackexchange"),
      ("bluesky", "bluesky"), ("x_v2", "x"), ("x_v11", "twitter-classic"), ("github", "github"),
    ] {
      let source = try #require(Sources.named(name))
      for answer in try recorded.answers(folder) {
        let asked = try source.asking(
          "#a", at: source.traits.defaultServer ?? "https://old.example", credentials: ["k"],
          session: Session(accessToken: "t"))
        guard let page = try? source.page(from: answer.response, to: asked) else { continue }
        for post in page.posts {
          topics[folder, default: []].formUnion(post.topics)
          described += post.attachments.count { $0.description != nil }
        }
      }
    }
    guard recorded.testDescription == "recordings" else { return }
    #expect(topics["lobsters"]?.contains("vim") == true)
    #expect(topics["stackexchange"]?.isSuperset(of: ["java", "arrays"]) == true)
    #expect(topics["x_v11"]?.contains("freebandnames") == true)
    #expect(topics.count == 7 && topics.values.allSatisfy { !$0.isEmpty })
    #expect(described >= 5)
  }
}
