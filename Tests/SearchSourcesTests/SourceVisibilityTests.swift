import Foundation
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// For whom a post is, in the words of each network that says so.
@Suite struct SourceVisibilityTests {
  private func visibilities(_ source: some Source, _ body: String) throws -> [Visibility?] {
    let page = try source.page(
      from: answer(body),
      to: source.asking("#a", at: "https://a.example", session: Session(accessToken: "tok")))
    #expect(page.brokenItems == 0)
    return page.posts.map(\.visibility)
  }

  @Test(arguments: [
    (#""public""#, Visibility.public), (#""unlisted""#, .unlisted), (#""private""#, .private),
    (#""direct""#, .direct), (#""mutuals_only""#, .private), (#""local""#, .private),
    ("7", .private), ("{}", .private), ("null", nil),
  ])
  func `Mastodon and its relatives name it, and what is unknown counts as private`(
    value: String, visibility: Visibility?
  ) throws {
    let status = #"{"id":"1","content":"a","visibility":\#(value)}"#
    #expect(try visibilities(Mastodon(), "[\(status)]") == [visibility])
    let boost = #"[{"id":"2","visibility":"public","content":"","reblog":\#(status)}]"#
    #expect(try visibilities(Mastodon(), boost) == [visibility ?? .public])
  }

  @Test func `Mastodon's boost for followers of a public post is private`() throws {
    let boost = #"""
      [{"id":"2","visibility":"private","reblog":{"id":"1","content":"a","visibility":"public"}}]
      """#
    #expect(try visibilities(Mastodon(), boost) == [.private])
  }

  @Test(arguments: [
    ("public", Visibility.public), ("home", .unlisted), ("followers", .private),
    ("specified", .private), ("hidden", .private),
  ])
  func `Misskey has other names`(value: String, visibility: Visibility) throws {
    let notes = #"""
      [{"id":"1","text":"a","visibility":"\#(value)"},
       {"id":"2","visibility":"public","renote":{"id":"3","text":"b","visibility":"\#(value)"}}]
      """#
    #expect(try visibilities(Misskey(), notes) == [visibility, visibility])
  }

  @Test(arguments: [
    (#""Public""#, Visibility.public), (#""Unlisted""#, .unlisted), (#""LocalOnly""#, .private),
    (#""LocalOnlyPublic""#, .public), (#""local_only_public""#, .public),
    (#""LocalOnlyPrivate""#, .private), (#""Private""#, .private), ("null", nil),
  ])
  func `A post of Lemmy is as visible as its community`(
    value: String, visibility: Visibility?
  ) throws {
    let body = #"{"posts":[{"post":{"id":1,"name":"a"},"community":{"visibility":\#(value)}}]}"#
    #expect(try visibilities(Lemmy(), body) == [visibility])
  }

  @Test func `A private community of Reddit and a protected account of Twitter are private`() throws
  {
    let types = ["public", "restricted", "user", "private", "employees_only"]
    let listing = types.enumerated().map { number, type in
      #"{"kind":"t3","data":{"id":"\#(number)","title":"a","subreddit_type":"\#(type)"}}"#
    }.joined(separator: ",")
    #expect(
      try visibilities(Reddit(), #"{"kind":"Listing","data":{"children":[\#(listing)]}}"#)
        == [nil, nil, nil, .private, .private])
    let tweets = #"""
      {"statuses":[{"id_str":"1","text":"a","user":{"screen_name":"amy","protected":false}},
        {"id_str":"2","text":"b","user":{"screen_name":"bob","protected":true}},
        {"id_str":"3","text":"RT","user":{"screen_name":"amy"},
         "retweeted_status":{"id_str":"2","text":"b","user":{"screen_name":"b","protected":true}}}]}
      """#
    #expect(try visibilities(TwitterClassic(), tweets) == [nil, .private, .private])
  }

  @Test func `A post of a protected account of X is private, and so is what repeats it`() throws {
    let answer = #"""
      {"data":[{"id":"1","text":"a","author_id":"7"},{"id":"2","text":"b","author_id":"8"},
        {"id":"3","text":"RT @bob: b","author_id":"7",
         "referenced_tweets":[{"type":"retweeted","id":"2"}]}],
       "includes":{"users":[{"id":"7","username":"amy","protected":false},
         {"id":"8","username":"bob","protected":true}],
         "tweets":[{"id":"2","text":"b","author_id":"8"}]}}
      """#
    #expect(try visibilities(X(), answer) == [nil, .private, .private])
  }

  @Test func `GitHub is asked for public repositories where a token could read others`() throws {
    func query(_ text: String, isRaw: Bool = false, token: String?) throws -> String {
      var page = try GitHub().asking(text, at: "https://a.example")
      if isRaw { page.split = GitHub().split(page.query.raw, with: nil) }
      page.credentials = token.map { Credentials([$0]) }
      let url = try #require(URLComponents(string: GitHub().request(for: page).url))
      return try #require(url.queryItems?.first { $0.name == "q" }?.value)
    }
    #expect(try query("swift", token: nil) == "swift (is:issue OR is:pull-request)")
    #expect(try query("swift", token: "t") == "swift is:public (is:issue OR is:pull-request)")
    #expect(
      try query("a is:private", isRaw: true, token: "t")
        == "a is:private (is:issue OR is:pull-request)")
  }
}
