import Testing

@testable import SearchSources

/// Server text in messages.
@Suite struct OneLineTests {
  @Test(arguments: [
    ("two words", "two words"),
    ("  a \t\n b ", "a b"),
    ("a  b", "a b"),
    ("caf\u{E9}\u{85}bar", "caf\u{E9} bar"),
    ("", ""),
  ])
  func `A text is on one line, with single blanks`(text: String, line: String) {
    #expect(OneLine.of(text) == line)
  }

  @Test(arguments: [
    ("the key abcd is wrong", "the key *** is wrong"),
    ("the key  abcd is wrong", "the key *** is wrong"),
    ("é abcd", "é ***"),
    ("abab abcd", "abab ***"),
    ("abc is no part of it", "abc is no part of it"),
  ])
  func `Secrets are masked in every text`(text: String, line: String) {
    #expect(OneLine.of(text, without: ["xy", "", "abcd"]) == line)
  }

  @Test(arguments: ["SEC/RET+Y==", "SEC%2FRET%2BY%3D%3D", "SEC%2fRET%2bY%3d%3d"])
  func `Secrets are masked as addresses spell them`(spelling: String) {
    #expect(OneLine.of("key=\(spelling)&a", without: ["SEC/RET+Y=="]) == "key=***&a")
  }

  @Test func `A long text is cut`() {
    let text = String(repeating: "a", count: 200)
    #expect(OneLine.of(text) == text)
    #expect(OneLine.of(text + "b") == text.dropLast() + "…")
  }
}
