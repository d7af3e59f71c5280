import Testing
import TextFormats

@Suite struct BlanksTests {
  @Test(
    arguments: [
      ("", ""), ("a", "a"), (" a b ", "a b"), ("\t\r\n a\r\n\u{B}b\n", "a\r\n\u{B}b"), (" \n ", ""),
      // Blanks beyond ASCII, and a blank that a mark stands on.
      ("\u{3000}a\u{A0}", "a"), ("\u{2028}é\u{85}", "é"), ("é b", "é b"),
      (" \u{301}a \u{301}", "a"),
    ])
  func `A trimmed text has no blanks at its ends`(text: String, trimmed: String) {
    #expect(text.trimmed == trimmed)
    #expect(Substring(text).trimmed == trimmed)
  }

  @Test(
    arguments: [
      ("", ""), ("a", "a"), ("  a \t b\r\n\r\nc ", "a b c"), (" \n ", ""),
      ("a\u{B}b\u{C}c", "a b c"),
      ("é\u{3000} b\u{A0}\u{2009}c", "é b c"), ("日\n本", "日 本"),
    ])
  func `A text on one line has single blanks`(text: String, line: String) {
    #expect(text.onOneLine == line && Substring(text).onOneLine == line)
  }
}
