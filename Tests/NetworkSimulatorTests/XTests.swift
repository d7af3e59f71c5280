import Foundation
import Testing

@Suite struct XTests {
  private static let path = "/x/2/tweets/search/recent?"

  private func search(_ fixture: SimulatorFixture, _ query: String) async throws -> RawResponse {
    try await fixture.client.send(
      Self.path + query, headers: fixture.authorized("X_BEARER_TOKEN"))
  }

  @Test func `Its pages contain each post once, newest first`() async throws {
    try await withSimulator { fixture in
      var ids: [String] = []
      var token: String?
      repeat {
        let more = token.map { "&next_token=\($0)" } ?? ""
        let page = try await search(fixture, "query=%23swift&max_results=25" + more).json
        let texts = page["data"].elements.compactMap { $0["text"].string }
        #expect(texts.allSatisfy { $0.contains("#swift") })
        #expect(page["meta"]["result_count"].integer == page["data"].elements.count)
        ids += page["data"].elements.compactMap { $0["id"].string }
        token = page["meta"]["next_token"].string
      } while token != nil
      #expect(ids.count >= 60)
      #expect(Set(ids).count == ids.count)
      #expect(ids == ids.sorted { (UInt64($0) ?? 0) > (UInt64($1) ?? 0) })
    }
  }

  @Test func `An empty result is a body with a count only`() async throws {
    try await withSimulator { fixture in
      let response = try await search(fixture, "query=%23nothingness")
      #expect(response.text == #"{"meta":{"result_count":0}}"#)
    }
  }

  @Test(arguments: [
    "", "query=", "query=" + String(repeating: "a", count: 513), "query=swift&max_results=9",
    "query=swift&max_results=101", "query=swift&max_results=x", "query=swift&colour=red",
    "query=swift&start_time=2026-11-19", "query=swift&start_time=2026-11-01T00:00:00Z",
    "query=swift&end_time=2026-11-20T11:59:55Z",
    "query=swift&start_time=2026-11-19T00:00:00Z&end_time=2026-11-18T00:00:00Z",
    "query=swift&since_id=1", "query=swift&until_id=abc", "query=swift&sort_order=newest",
    "query=swift&next_token=made-up", "query=swift&tweet.fields=colour",
    "query=swift&post.fields=author_id", "query=cats%20and%20dogs", "query=is:retweet",
    "query=cats%20min_faves:5", "query=cats%20min_retweets:5", "query=cats%20-(a%20b)",
  ])
  func `Invalid requests to X get a problem with status 400`(query: String) async throws {
    try await withSimulator { fixture in
      let response = try await search(fixture, query)
      #expect(response.status == 400)
      #expect(response.header("Content-Type")?.hasPrefix("application/problem+json") == true)
      #expect(response.json["title"].string == "Invalid Request")
      #expect(response.json["errors"][0]["message"].string?.isEmpty == false)
    }
  }

  @Test func `Without its token it answers 401`() async throws {
    try await withSimulator { fixture in
      let missing = try await fixture.client.send(Self.path + "query=swift")
      let wrong = try await fixture.client.send(
        Self.path + "query=swift", headers: ["Authorization": "Bearer wrong"])
      #expect(missing.status == 401)
      #expect(wrong.status == 401)
      #expect(wrong.json["title"].string == "Unauthorized")
    }
  }

  @Test func `Fields come only when they are asked for`() async throws {
    try await withSimulator { fixture in
      let bare = try await search(fixture, "query=swift&max_results=100").json
      for post in bare["data"].elements {
        #expect(post.keys == ["id", "text", "edit_history_tweet_ids"])
      }
      #expect(bare["includes"].isNull)
    }
  }

  @Test(arguments: ["tweet", "post"])
  func `Both vocabularies work`(word: String) async throws {
    let isNew = word == "post"
    let referenced = isNew ? "referenced_posts" : "referenced_tweets"
    try await withSimulator { fixture in
      let expansion = isNew ? "referenced_posts" : "referenced_tweets.id"
      let page = try await search(
        fixture,
        "query=swift&max_results=100&\(word).fields=created_at,public_metrics"
          + (isNew ? "" : ",\(referenced)")
          + "&expansions=author_id,\(expansion)&user.fields=username"
      ).json
      let posts = page["data"].elements
      #expect(posts.count > 50)
      #expect(posts.allSatisfy { $0.keys.contains("edit_history_\(word)_ids") })
      #expect(posts.allSatisfy { $0["created_at"].string?.hasSuffix(".000Z") == true })
      let count = isNew ? "repost_count" : "retweet_count"
      #expect(posts.allSatisfy { $0["public_metrics"][count].integer != nil })
      #expect(posts.contains { !$0[referenced].isNull })
      #expect(!page["includes"][word + "s"].elements.isEmpty)
      #expect(page["errors"][0]["type"].string?.hasSuffix("resource-not-found") == true)
      let users = Set(page["includes"]["users"].elements.compactMap { $0["id"].string })
      let authors = posts.compactMap { $0["author_id"].string }
      #expect(authors.count == posts.count)
      #expect(authors.filter(users.contains).count > posts.count / 2)
    }
  }

  @Test func `Entities count code points of the escaped text`() async throws {
    try await withSimulator { fixture in
      let page = try await search(
        fixture, "query=swift&max_results=100&tweet.fields=entities,note_tweet"
      ).json
      var escapes = 0
      for post in page["data"].elements {
        for part in [post, post["note_tweet"]] where !part.isNull {
          let text = Array((part["text"].string ?? "").unicodeScalars)
          if part["text"].string?.contains("&amp;") == true { escapes += 1 }
          func slice(_ entity: JSONTree) -> String {
            let range = (entity["start"].integer ?? 0)..<(entity["end"].integer ?? 0)
            return String(String.UnicodeScalarView(text[range]))
          }
          let entities = part["entities"]
          for url in entities["urls"].elements { #expect(slice(url) == url["url"].string) }
          for tag in entities["hashtags"].elements {
            #expect(slice(tag) == "#" + (tag["tag"].string ?? ""))
          }
          for mention in entities["mentions"].elements {
            #expect(slice(mention) == "@" + (mention["username"].string ?? ""))
          }
        }
      }
      #expect(escapes > 0)
    }
  }

  @Test func `Times and ids limit the results`() async throws {
    try await withSimulator { fixture in
      let all = try await search(fixture, "query=swift&max_results=100&tweet.fields=created_at")
        .json["data"].elements
      let middle = try #require(all[20]["created_at"].string)
      let id = try #require(all[20]["id"].string)
      let before = try await search(
        fixture, "query=swift&tweet.fields=created_at&end_time=\(middle)"
      ).json
      #expect((before["data"][0]["created_at"].string ?? "~") < middle)
      let after = try await search(fixture, "query=swift&max_results=100&since_id=\(id)").json
      #expect(after["data"].elements.count == 20)
      let until = try await search(fixture, "query=swift&until_id=\(id)").json
      #expect(until["data"][0]["id"].string == all[21]["id"].string)
    }
  }

  @Test func `It states its quota with an epoch, and enforces it on request`() async throws {
    try await withSimulator(quotas: true) { fixture in
      let begin = Date.now.timeIntervalSince1970
      let first = try await search(fixture, "query=swift")
      let end = Date.now.timeIntervalSince1970
      #expect(first.header("x-rate-limit-limit") == "450")
      #expect(first.header("x-rate-limit-remaining") == "449")
      let reset = try #require(first.header("x-rate-limit-reset").flatMap { Double($0) })
      #expect(reset >= (begin + 900).rounded(.down) && reset <= (end + 900).rounded(.up))
      for _ in 0..<449 { _ = try await search(fixture, "query=swift") }
      let last = try await search(fixture, "query=swift")
      #expect(last.status == 429)
      #expect(last.header("x-rate-limit-remaining") == "0")
      #expect(last.header("Retry-After") == nil)
    }
  }
}
