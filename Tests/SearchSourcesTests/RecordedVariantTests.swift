import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The adapters over the same answers in the shapes of other versions of the networks.
@Suite struct RecordedVariantTests {
  typealias Object = [String: Any]

  private func read(_ json: Any, by source: any Source) throws -> Page {
    let data = try JSONSerialization.data(withJSONObject: json)
    return try source.page(
      from: HTTPResponse(status: 200, body: HTTPBody([UInt8](data))),
      to: source.asking(
        "#x", at: source.traits.defaultServer ?? "https://old.example",
        credentials: source.traits.needsCredentials ? ["token"] : nil,
        // Some of Bluesky's accounts are shown only to people who are signed in.
        session: source is Bluesky ? Session(accessToken: "token") : nil))
  }

  /// The recorded answers of a source that hold items under one of the keys.
  private func answers(
    _ folder: String, _ keys: [String]
  ) throws -> [(name: String, items: [Object])] {
    let answers: [(name: String, items: [Object])] = try Recorded.all.flatMap {
      try $0.answers(folder)
    }.compactMap { recording in
      let object = recording.json as? Object
      let found = keys.lazy.compactMap { object?[$0] }.first ?? recording.json
      guard let items = found as? [Object], !items.isEmpty else { return nil }
      return (recording.name, items)
    }
    try #require(!answers.isEmpty)
    return answers
  }

  /// The same answer with every object changed.
  private func map(_ json: Any, _ change: (Object) -> Object) -> Any {
    switch json {
    case let list as [Any]: list.map { map($0, change) }
    case let object as Object: change(object.mapValues { map($0, change) })
    default: json
    }
  }

  @Test(
    arguments: [
      ("x_v1", ["results", "statuses"], "results", "twitter-classic"),
      ("x_v11", ["results", "statuses"], "statuses", "twitter-classic"),
      ("x_v2", ["data"], "data", "x"), ("bluesky", ["posts"], "posts", "bluesky"),
      ("mastodon", ["statuses"], "statuses", "mastodon"), ("hn", ["hits"], "hits", "hackernews"),
    ])
  func `A key that is missing or null costs at most the items that it is missing in`(
    folder: String, keys: [String], wrapper: String, name: String
  ) throws {
    let source = try #require(Sources.named(name))
    for (recording, all) in try answers(folder, keys) {
      let items = Array(all.prefix(4))
      let whole = try read([wrapper: items], by: source)
      #expect(whole.brokenItems == 0)
      for key in Set(items.flatMap(\.keys)) {
        for value in [nil, NSNull()] as [Any?] {
          let changed = items.map { item in
            var item = item
            if item[key] != nil { item[key] = value }
            return item
          }
          let page = try read([wrapper: changed], by: source)
          let doubles = items.count - whole.posts.count
          #expect(
            page.posts.count + page.brokenItems >= items.count - doubles, "\(recording) \(key)")
          let isNeeded = [
            "id", "uri", "record", "text", "full_text", "content", "objectID", "title",
            "comment_text",
          ]
          if !isNeeded.contains(key) { #expect(page.brokenItems == 0, "\(recording) \(key)") }
        }
      }
    }
  }

  @Test func `X's older and newer words give the same posts`() throws {
    let renamed = [
      "referenced_tweets": "referenced_posts", "tweets": "posts", "note_tweet": "note_post",
      "edit_history_tweet_ids": "edit_history_post_ids", "retweet_count": "repost_count",
    ]
    for recording in try Recorded.all.flatMap({ try $0.answers("x_v2") }) {
      guard let json = recording.json as? Object, json["data"] is [Any] else { continue }
      let older = try read(json, by: X())
      let newer = map(json) { object in
        Object(object.map { (renamed[$0] ?? $0, $1) }, uniquingKeysWith: { one, _ in one })
      }
      #expect(try read(newer, by: X()) == older, "\(recording.name)")
      for post in (json["data"] as? [Object] ?? []).prefix(2) {
        let single = try read(
          ["data": post, "includes": json["includes"] as? Object ?? [:]], by: X())
        #expect(single.posts.count == 1)
      }
    }
  }

  @Test func `Every mode of Twitter's version 1.1 gives the same posts`() throws {
    for (name, items) in try answers("x_v11", ["statuses"]) {
      let compatible = try read(["statuses": items], by: TwitterClassic()).posts
      let extended = map(items) { object in
        var object = object
        // A hashtag has a text, too.
        guard object["created_at"] != nil else { return object }
        if let text = object.removeValue(forKey: "text") { object["full_text"] = text }
        return object
      }
      let premium = map(items) { object in
        var object = object
        if let text = object["full_text"] ?? object["text"], object["created_at"] != nil {
          object["extended_tweet"] = [
            "full_text": text, "entities": object["entities"] ?? Object(),
          ]
          object["text"] = "cut…"
        }
        return object
      }
      let numbered = map(items) { object in
        var object = object
        if object["id"] is NSNumber { object["id_str"] = nil }
        return object
      }
      #expect(try read(["statuses": extended], by: TwitterClassic()).posts == compatible, "\(name)")
      #expect(try read(["statuses": numbered], by: TwitterClassic()).posts == compatible, "\(name)")
      #expect(try read(extended, by: TwitterClassic()).posts == compatible, "\(name)")
      let paged = try read(["results": premium, "next": "a+b="], by: TwitterClassic())
      #expect(paged.posts.map(\.text) == compatible.map(\.text), "\(name)")
      #expect(paged.next?.rawValue == "next=a%2Bb%3D")
    }
  }

  @Test func `A feed of Bluesky gives its posts, each once`() throws {
    for (name, items) in try answers("bluesky", ["feed"]) where items[0]["post"] != nil {
      let page = try read(["feed": items], by: Bluesky())
      let uris = items.compactMap { ($0["post"] as? Object)?["uri"] as? String }
      var expected: [String] = []
      for uri in uris where !expected.contains(uri) { expected.append(uri) }
      #expect(page.posts.map(\.uri) == expected, "\(name)")
      #expect(page.brokenItems == 0)
      #expect(page.posts.allSatisfy { $0.createdAt != nil && !$0.author.handle.isEmpty })
    }
  }

  @Test func `Hits in the older shape of Hacker News give the same posts`() throws {
    let keys = ["title", "url", "story_text", "comment_text", "story_id", "story_title", "points"]
    for (name, items) in try answers("hn", ["hits"]) {
      let page = try read(["hits": items], by: HackerNews.network)
      let older = items.map { item in
        var item = item
        for key in keys where item[key] == nil { item[key] = NSNull() }
        if let date = item["created_at"] as? String, !date.contains(".") {
          item["created_at"] = date.replacing("Z", with: ".000Z")
        }
        return item
      }
      let undated = older.map { item in
        var item = item
        item["created_at_i"] = nil
        return item
      }
      #expect(try read(["hits": older], by: HackerNews.network) == page, "\(name)")
      let readUndated = try read(["hits": undated], by: HackerNews.network)
      #expect(readUndated.posts.map(\.text) == page.posts.map(\.text), "\(name)")
      #expect(readUndated.posts.allSatisfy { $0.createdAt != nil }, "\(name)")
    }
  }
}
