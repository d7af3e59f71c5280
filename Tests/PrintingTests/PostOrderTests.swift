import FoundationEssentials
import Printing
import SearchModel
import TestSupport
import Testing

@Suite struct PostOrderTests {
  private func post(_ id: String, minutesAgo: Double?, likes: Int? = nil) throws -> Post {
    Post(
      id: id, source: "hackernews", server: try Samples.server(), uri: "https://a.example/\(id)",
      text: "text", createdAt: minutesAgo.map { Samples.now.addingTimeInterval(-$0 * 60) },
      counts: Counts(likes: likes))
  }

  /// As a merge leaves them: the newest first, those without a moment in the past at the end.
  private func posts() throws -> [Post] {
    var future = try post("future", minutesAgo: -99, likes: 1)
    future.isFuture = true
    return [
      try post("new", minutesAgo: 1), try post("middle", minutesAgo: 2, likes: 0),
      try post("old", minutesAgo: 3, likes: 9), future,
      try post("undated", minutesAgo: nil, likes: 9),
    ]
  }

  @Test(arguments: [
    (PostOrder.newest, ["new", "middle", "old", "future", "undated"]),
    (.oldest, ["old", "middle", "new", "future", "undated"]),
    (.likes, ["old", "undated", "future", "middle", "new"]),
  ])
  func `Posts are sorted, and those without a date stay at the end of the oldest`(
    order: PostOrder, ids: [String]
  ) throws {
    // The first one belongs to an earlier piece of the output.
    let all = [try post("earlier", minutesAgo: 0)] + (try posts())
    #expect(order.sorted(all.dropFirst()).map(\.id) == ids)
  }

  @Test func `Posts are counted by two properties, in groups of the first`() throws {
    var posts = try posts()
    for index in posts.indices { posts[index].tags = index == 1 ? ["#b"] : ["#a", "#b"] }
    func counted(_ keys: [CountPrinter.Key], _ format: OutputFormat) -> [Substring] {
      let printer = CountPrinter(keys, as: format, style: TextStyle(now: Samples.now))
      return Samples.written(by: printer, posts).split(whereSeparator: \.isNewline)
    }
    #expect(
      counted([.day, .tag], .csv) == [
        "record,day,tag,count,source,tags,outcome,message", "count,2026-11-20,#b,4,,,,",
        "count,2026-11-20,#a,3,,,,", "count,undated,#a,1,,,,", "count,undated,#b,1,,,,",
      ])
    #expect(
      counted([.tag, .day], .plain) == [
        "4\t#b\t2026-11-20", "1\t#b\tundated",
        "3\t#a\t2026-11-20", "1\t#a\tundated",
      ])
    #expect(
      counted([.tag, .network], .ndjson).first
        == ##"{"tag":"#b","network":"hackernews","count":5}"##)
    #expect(counted([.tag, .network], .markdown)[2] == "| \\#\u{2060}b | hackernews | 5 |")
  }

  @Test func `Authors of a table are handles, each with its network in a column of its own`() throws
  {
    let posts = [try Samples.full(), try Samples.bare()]
    let printer = CountPrinter([.author], as: .csv, style: TextStyle(now: Samples.now))
    let lines = Samples.written(by: printer, posts).split(separator: "\r\n")
    #expect(lines.contains("count,@ada@mastodon.social,1,mastodon,,,"))
    #expect(lines.contains("count,unknown,1,hackernews,,,"))
  }
}
