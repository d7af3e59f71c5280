import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// The adapters over answers of the networks: the fixtures, and real answers where they are present.
struct RecordedTests {
  /// Checks the posts of a recording against its items, which the caller picks and describes.
  private func check(
    _ recording: Recorded.Answer, by source: some Source, items: [[String: Any]],
    id: ([String: Any]) -> String?
  ) throws -> Page {
    let server = source.traits.defaultServer ?? "https://old.example"
    let page = try source.page(
      from: recording.response,
      to: source.asking("#x", at: server, credentials: source.traits.needsCredentials ? ["t"] : nil)
    )
    #expect(page.brokenItems == 0, "\(recording.name)")
    var ids: [String] = []
    for item in items.compactMap(id) where !ids.contains(item) { ids.append(item) }
    #expect(page.posts.map(\.id) == ids, "\(recording.name)")
    for post in page.posts {
      #expect(post.createdAt != nil || source.name == "x", "\(recording.name) \(post.id)")
      #expect(!post.uri.isEmpty && post.url?.hasPrefix("http") == true)
      #expect(post.links.allSatisfy { $0.hasPrefix("http") })
      #expect(!post.text.contains("&amp;") && !post.text.contains("&lt;"), "\(post.text)")
    }
    return page
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses of Twitter are read completely`(recorded: Recorded) throws {
    for recording in try recorded.answers("x_v1") + recorded.answers("x_v11") {
      guard let json = recording.json as? [String: Any],
        let items = (json["results"] ?? json["statuses"]) as? [[String: Any]]
      else { continue }
      let page = try check(recording, by: TwitterClassic(), items: items) {
        ($0["id"] as? NSNumber)?.stringValue
      }
      for post in page.posts {
        #expect(!post.author.handle.isEmpty)
        #expect(!post.text.isEmpty)
      }
      #expect((page.next != nil) == (recording.response.body.text.contains("\"next_")))
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses of X are read completely`(recorded: Recorded) throws {
    for recording in try recorded.answers("x_v2") {
      guard let json = recording.json as? [String: Any],
        let items = json["data"] as? [[String: Any]]
      else { continue }
      let page = try check(recording, by: X(), items: items) { $0["id"] as? String }
      let originals = Dictionary(
        items.map { ($0["id"] as? String ?? "", $0) }, uniquingKeysWith: { first, _ in first })
      for post in page.posts {
        let item = try #require(originals[post.id])
        #expect((post.createdAt == nil) == (item["created_at"] == nil))
        #expect(post.author.handle.isEmpty == (item["author_id"] == nil))
        #expect(!post.text.isEmpty)
        // A text that X has put in place of another still has its t.co.
        let isSubstituted = recording.name.contains("media_policy_violation")
        let hasUnknown = (item["entities"] as? [String: Any])?["urls"] == nil
        #expect(!post.text.contains("https://t.co/") || isSubstituted || hasUnknown, "\(post.text)")
      }
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses of Bluesky are read completely`(recorded: Recorded) throws {
    for recording in try recorded.answers("bluesky") {
      guard let json = recording.json as? [String: Any],
        let items = json["posts"] as? [[String: Any]]
      else { continue }
      let page = try check(recording, by: Bluesky(), items: items) { $0["uri"] as? String }
      #expect(page.posts.allSatisfy { !$0.author.handle.isEmpty })
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded timelines of Mastodon are read completely`(recorded: Recorded) throws {
    for recording in try recorded.answers("mastodon") {
      let found = (recording.json as? [String: Any])?["statuses"] ?? recording.json
      guard let items = found as? [[String: Any]] else { continue }
      let page = try check(recording, by: Mastodon(), items: items) {
        $0["id"] as? String ?? ($0["id"] as? NSNumber)?.stringValue
      }
      for post in page.posts {
        #expect(post.author.handle.split(separator: "@").count == 2, "\(post.author.handle)")
        #expect(!post.text.contains("</"))
      }
      // Without an address the next page follows the last post.
      let isPaged =
        recording.response.headers["link"]?.contains("rel=\"next\"") ?? !items.isEmpty
      if recording.json is [Any] { #expect((page.next != nil) == isPaged, "\(recording.name)") }
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses of Hacker News are read completely`(recorded: Recorded) throws {
    for recording in try recorded.answers("hn") {
      guard let json = recording.json as? [String: Any],
        let items = json["hits"] as? [[String: Any]]
      else { continue }
      let page = try check(recording, by: HackerNews.network, items: items) {
        $0["objectID"] as? String
      }
      for (post, item) in zip(page.posts, items) {
        #expect(post.author.handle == item["author"] as? String ?? "")
        let texts = [item["comment_text"], item["story_text"]]
        #expect(post.text.isEmpty == !texts.contains { $0 is String })
      }
    }
  }

  @Test(arguments: Recorded.all)
  func `Recorded errors are failures`(recorded: Recorded) throws {
    for (file, status, source, kind) in [
      ("x_v2/literal_error_402_credits.json", 402, X(), Failure.Kind.permanent),
      ("x_v2/literal_error_403_not_enrolled.json", 403, X(), .credential),
      ("x_v11/literal_error_429_88.json", 429, TwitterClassic(), .temporary),
      ("bluesky/literal_error_429.json", 429, Bluesky(), .temporary),
      ("bluesky/literal_403_haproxy.html", 403, Bluesky(), .permanent),
      ("bluesky/bskyr_repo_auth_cache.json", 401, Bluesky(), .credential),
      ("mastodon/mpy_home_tl_anonymous_throws_0.json", 401, Mastodon(), .credential),
    ] as [(String, Int, any Source, Failure.Kind)] {
      let response = HTTPResponse(status: status, body: try recorded.answer(file).body)
      let page = try source.asking("#x", at: "https://h.example", credentials: ["token", "secret"])
      #expect(try source.failure(of: response, to: page).kind == kind, "\(file)")
    }
  }
}
