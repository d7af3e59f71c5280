import FoundationEssentials
import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

struct YouTubeTests {
  private let source = YouTube.network
  private let server = "https://www.googleapis.com"

  private func asked(_ cursor: String? = nil, after items: Int = 0) throws -> PageRequest {
    var page = try source.asking(
      "a", at: server, cursor: cursor.map(Cursor.init), credentials: ["secretkey"])
    page.itemsBefore = items
    return page
  }

  @Test func `The request asks for full pages by date`() throws {
    let request = try source.request(
      for: source.asking(
        "c++ #x", at: server, since: "2026-11-20T10:00:00.900Z", until: "2026-11-21T10:00:00.100Z",
        wanted: 3, cursor: Cursor(rawValue: "CAoQAA"), credentials: ["k"]))
    #expect(
      request.url
        == "https://www.googleapis.com/youtube/v3/search?part=snippet&type=video&order=date"
        + "&maxResults=50&q=c%2B%2B%20x&publishedAfter=2026-11-20T10%3A00%3A00Z"
        + "&publishedBefore=2026-11-21T10%3A00%3A01Z&pageToken=CAoQAA&key=k")
    #expect(throws: Failure.self) { try source.request(for: source.asking("a", at: server)) }
  }

  @Test func `Only videos are read, with their entities decoded`() throws {
    let page = try source.page(
      from: answer(
        #"""
        {"nextPageToken":"CAoQAA","items":[
         {"id":{"kind":"youtube#video","videoId":"Wuy_F-1"},"snippet":{"publishedAt":"2020-03-14T01:59:46.000Z","channelId":"UC1","title":"It&#39;s &quot;A&quot; &amp; B","description":"x &lt; y","channelTitle":"N&amp;M","thumbnails":{"high":{"url":"https://i.example/1.jpg"}}}},
         {"id":{"kind":"youtube#channel","channelId":"UC2"},"snippet":{"title":"c"}},
         {"id":{"videoId":"2"},"snippet":{"publishedAt":"2020-03-14T01:59:46Z","title":"t"}},
         {"id":{"videoId":"3"}}, {"id":"4","snippet":{"title":"t"}}, 5]}
        """#), to: asked())
    #expect(page.brokenItems == 3)
    #expect(page.next == Cursor(rawValue: "CAoQAA"))
    let video = page.posts[0]
    #expect(video.title == #"It's "A" & B"# && video.text == "x < y")
    #expect(video.url == "https://www.youtube.com/watch?v=Wuy_F-1" && video.uri == video.url)
    #expect(
      video.author
        == Author(handle: "UC1", name: "N&M", url: "https://www.youtube.com/channel/UC1"))
    #expect(video.createdAt == (try moment("2020-03-14T01:59:46Z")))
    #expect(video.media == ["https://i.example/1.jpg"])
    #expect(page.posts.map(\.id) == ["Wuy_F-1", "2"])
    #expect(
      try source.page(from: answer(#"{"items":[],"nextPageToken":"x"}"#), to: asked())
        == Page(next: Cursor(rawValue: "x")))
  }

  @Test func `A search that ends after about 500 videos was cut`() throws {
    let last = answer(#"{"items":[{"id":{"videoId":"2"},"snippet":{"title":"t"}}]}"#)
    #expect(try source.page(from: last, to: asked("x", after: 300)).missing == nil)
    #expect(
      try source.page(from: last, to: asked("x", after: 470)).missing
        == "YouTube returns only about 500 videos of a search")
    let again = answer(
      #"{"nextPageToken":"x","items":[{"id":{"videoId":"2"},"snippet":{"title":"t"}}]}"#)
    #expect(try source.page(from: again, to: asked("x")).next == Cursor(rawValue: "x"))
    // Of the 100 searches of a day.
    #expect(source.traits.cost?.perRequest == 1 && source.traits.cost?.defaultBound == 50)
  }

  private func refusal(_ status: Int, _ reason: String, _ message: String = "words") -> HTTPResponse
  {
    answer(
      #"{"error":{"code":\#(status),"message":"\#(message)","errors":[{"reason":"\#(reason)"}]}}"#,
      status: status)
  }

  @Test func `A spent quota lasts until midnight in California`() throws {
    let response = refusal(403, "quotaExceeded")
    let until = try moment("2026-11-22T08:00:00Z")
    #expect(source.verdict(on: response, now: testNow) == .coolDown(until: until))
    guard case .rateLimited(until, _) = try source.fault(of: response, to: asked()) else {
      Issue.record("no limit")
      return
    }
    let early = try moment("2026-11-21T07:00:00Z")
    #expect(
      source.verdict(on: response, now: early)
        == .coolDown(until: try moment("2026-11-21T08:00:00Z")))
    #expect(
      source.verdict(on: refusal(403, "rateLimitExceeded"), now: testNow) == .coolDown(until: nil))
    #expect(source.verdict(on: refusal(403, "forbidden"), now: testNow) == .done)
  }

  @Test func `A rejected key is distinguished from a bad request, and never shown`() throws {
    for response in [
      refusal(400, "badRequest", "API key not valid: secretkey"),
      refusal(403, "accessNotConfigured"), refusal(400, "keyInvalid"),
      refusal(400, "badRequest", "API key expired. Please renew the API key."),
      answer(
        #"{"error":{"code":403,"message":"Requests are blocked.","errors":[{"reason":"forbidden"}],"details":[{"reason":"API_KEY_SERVICE_BLOCKED"}]}}"#,
        status: 403),
    ] {
      let failure = try source.failure(of: response, to: asked())
      #expect(failure.kind == .credential)
      #expect(failure.advice == "check YOUTUBE_API_KEY")
      #expect(!failure.message.contains("secretkey"))
    }
    let invalid = try source.failure(of: refusal(400, "invalidPageToken"), to: asked())
    #expect(invalid.kind == .permanent && invalid.message == "refused (400): 400: words")
  }

  @Test(arguments: Recorded.all)
  func `Recorded responses are read completely`(recorded: Recorded) throws {
    for name in recorded.names("youtube") {
      let recording = try recorded.answer("youtube/\(name)")
      let page = try source.page(from: recording, to: asked())
      #expect(page.brokenItems == 0 && page.posts.count == 5 && page.next != nil, "\(name)")
      #expect(page.posts.allSatisfy { $0.createdAt != nil && !$0.author.handle.isEmpty })
      #expect(page.posts.allSatisfy { $0.title?.contains("&#39;") == false })
    }
  }
}
