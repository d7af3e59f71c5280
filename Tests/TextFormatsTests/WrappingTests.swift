import Testing
import TextFormats

@Suite struct WrappingTests {
  @Test(arguments: [
    ("", 10, [""]),
    ("one two three", 7, ["one two", "three"]),
    ("one two three", 8, ["one two", "three"]),
    ("one two three", 6, ["one", "two", "three"]),
    ("one   two  ", 6, ["one", "two"]),
    ("a\n\nb", 9, ["a", "", "b"]),
    ("ends with blank \nnext", 40, ["ends with blank", "next"]),
    ("  indented stays", 10, ["  indented", "stays"]),
    ("see https://e.org/abcdef now", 12, ["see", "https://e.or", "g/abcdef now"]),
    ("https://e.org/abcdefghijkl", 10, ["https://e.", "org/abcdef", "ghijkl"]),
    ("日本語のテキスト", 6, ["日本語", "のテキ", "スト"]),
    ("日本語。", 6, ["日本", "語。"]),
    ("ab日本語", 5, ["ab日", "本語"]),
    ("日本 swift 語", 8, ["日本", "swift 語"]),
    ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦 ok", 4, ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "ok"]),
    ("日本", 1, ["日", "本"]),
    ("exact fit", 9, ["exact fit"]),
  ])
  func `Lines break where they must and nowhere else`(
    text: String, columns: Int, lines: [String]
  ) {
    #expect(Wrapping.lines(of: text, columns: columns).map(String.init) == lines)
  }

  @Test(arguments: 2...30)
  func `No line is too wide, and no word is lost`(columns: Int) {
    let text = "The quick 速い brown 狐 jumps — over 怠け者の犬 and 👩‍💻👍🏽 https://example.org/a/long/path ok"
    let lines = Wrapping.lines(of: text, columns: columns)
    #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
    #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }
}
