import Testing
import TextFormats

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("naïve", 5), ("e\u{301}", 1), ("日本語", 6), ("ｆｕｌｌ", 8), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("🇩", 2),
    ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("✅", 2), ("a\u{200B}b", 2), ("a\u{200D}b", 2), ("…—“”", 4),
    ("ﬁ", 1), ("𠀀", 2), ("ไทย", 3), ("ก็", 1), ("\u{FEFF}", 0), ("〽", 2), ("｡", 1),
    ("\u{1120}\u{1123}", 4), ("\u{915}\u{94B}", 2), ("\u{915}\u{94D}\u{937}", 2),
  ])
  func `Columns are counted as a terminal shows them`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(of: text) == columns)
  }
}
