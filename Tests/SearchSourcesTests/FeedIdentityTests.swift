import QueuedHTTP
import SearchModel
import Testing

@testable import SearchSources

/// Which entries of a feed are the same, and what their posts are called.
@Suite struct FeedIdentityTests {
  private func posts(_ items: String) throws -> [Post] {
    let page = try Feed().asking("a", at: "https://f.example/feed?q={query}")
    return try Feed().page(from: answer("<rss><channel>\(items)</channel></rss>"), to: page).posts
  }

  private func item(
    guid: String? = nil, link: String? = nil, title: String? = nil, day: Int? = nil
  ) -> String {
    let date = day.map { day in "<pubDate>2026-11-\(10 + day)T00:00:00Z</pubDate>" }
    return "<item>" + (guid.map { "<guid isPermaLink='false'>\($0)</guid>" } ?? "")
      + (link.map { "<link>\($0)</link>" } ?? "") + (title.map { "<title>\($0)</title>" } ?? "")
      + (date ?? "") + "</item>"
  }

  private static let one = "https://f.example/1"

  @Test func `Entries that share a link, a guid or both are different posts`() throws {
    for items in [
      (1...5).map { (day: Int) in item(link: Self.one, title: "t\(day)", day: day) },
      (1...5).map { item(guid: "g", title: "t\($0)") },
      (1...5).map { item(guid: "g", link: Self.one, title: "same", day: $0) },
      (1...5).map { item(guid: "g", link: "https://f.example/\($0)") },
    ] {
      let posts = try posts(items.joined())
      #expect(posts.count == 5)
      #expect(Set(posts.map(\.id)).count == 5 && Set(posts.map(\.uri)).count == 5)
    }
  }

  @Test func `Entries that agree in guid, link, title and date are one post`() throws {
    let one = item(guid: "g", link: Self.one, title: "t", day: 1)
    let posts = try posts(one + one + item(guid: "h", link: Self.one, title: "t", day: 1) + one)
    #expect(posts.map(\.id) == ["g", "h"])
  }

  @Test func `A unique identifier is kept, whatever else entries share`() throws {
    let posts = try posts(
      item(guid: "a", link: Self.one, title: "t") + item(guid: "b", link: Self.one, title: "t")
        + item(guid: "c", title: "1") + item(guid: "c", title: "2")
        + item(link: "https://f.example/2"))
    #expect(posts.map(\.id).prefix(2) == ["a", "b"] && posts.last?.id == "https://f.example/2")
    #expect(posts[2].id != "c" && posts[3].id != "c" && posts[2].id.hasPrefix("c"))
    #expect(posts[0].uri.hasSuffix("#a"))
  }

  @Test func `A shared identifier is completed the same way in every run and order`() throws {
    let items = (1...3).map { item(guid: "g", link: Self.one, title: "t\($0)", day: 4 - $0) }
    let ids = try posts(items.joined()).map(\.id)
    #expect(ids == ["g~b74c644ff5e728ba", "g~1b9f71d831b77112", "g~163c6a272e6e3442"])
    #expect(try posts(items.reversed().joined()).map(\.id) == ids)
  }

  @Test func `The newest entries of a feed come first, in whatever order it lists them`() throws {
    let posts = try posts(
      item(guid: "1", day: 1) + item(guid: "none") + item(guid: "3", day: 3)
        + item(guid: "2", day: 2)
        + item(guid: "none too"))
    #expect(posts.map(\.id) == ["3", "2", "1", "none", "none too"])
  }

  @Test func `Entries without a date are told apart by their texts`() throws {
    func entry(_ text: String) -> FeedEntry {
      var entry = FeedEntry()
      (entry.title, entry.link, entry.text) = ("Fixed", "https://a.example/changes", text)
      return entry
    }
    let entries = [entry("one"), entry("two"), entry("one")]
    let identities = FeedIdentities(of: entries)
    let ids = entries.map(identities.id)
    #expect(ids[0] == ids[2] && ids[0] != ids[1])
    // Alone, an entry keeps its name, whatever becomes of its text.
    #expect(FeedIdentities(of: [entries[0]]).id(of: entries[0]) == "https://a.example/changes")
  }
}
