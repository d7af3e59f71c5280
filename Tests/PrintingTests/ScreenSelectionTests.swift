import FoundationEssentials
import Printing
import SearchModel
import Testing

@Suite struct ScreenSelectionTests {
  private func dated(_ count: Int) throws -> [Post] {
    try (0..<count).map { number in
      var post = try Samples.bare("\(number)")
      post.createdAt = Samples.now.addingTimeInterval(Double(-number))
      return post
    }
  }

  private func undated(_ source: SourceName, _ count: Int) throws -> [Post] {
    try (0..<count).map { try Samples.bare("\(source) \($0)", source: source) }
  }

  @Test func `The newest fifty are shown, with a line on how to see the rest`() throws {
    let selection = ScreenSelection(try dated(360))
    #expect(Array(selection.posts) == Array(try dated(50)))
    #expect(selection.closing == ["… 310 more posts; show all with --all"])
    #expect(ScreenSelection(try dated(50)).closing == [])
    #expect(ScreenSelection(try dated(51)).closing == ["… 1 more post; show all with --all"])
  }

  @Test func `Undated posts take a line for each source`() throws {
    let posts = try dated(2) + undated("feed", 2) + undated("x", 1)
    let selection = ScreenSelection(posts)
    #expect(selection.posts.count == 2)
    #expect(
      selection.closing == [
        "… 2 undated posts from feed", "… 1 undated post from x; show all with --all",
      ])
  }

  @Test func `Where no post has a date, they are shown`() throws {
    let selection = ScreenSelection(try undated("feed", 60))
    #expect(selection.posts.count == 50)
    #expect(selection.closing == ["… 10 more posts; show all with --all"])
    #expect(ScreenSelection([]).closing == [])
  }
}
