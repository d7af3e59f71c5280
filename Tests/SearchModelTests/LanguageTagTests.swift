import SearchModel
import Testing

@Suite struct LanguageTagTests {
  @Test(
    arguments: [
      ("de", "de"), ("de-AT", "de"), ("PT_br", "pt"), ("zh-Hant-TW", "zh"), ("fil", "fil"),
      // X answers with codes that it does not take in a query.
      ("iw", "he"), ("in", "id"), ("ji", "yi"), ("und", nil), ("zxx", nil), ("qme", nil),
      ("eng", "en"), ("GER", "de"), ("deu", "de"), ("nob", "nb"), ("tgl", "tl"), ("English", "en"),
      ("DE", "de"),
      ("", nil), ("klingon", nil), ("d", nil), ("日本", nil), ("-", nil),
    ] as [(String, String?)])
  func `A network's language is its primary subtag, or unknown`(
    tag: String, language: String?
  ) {
    #expect(LanguageTag.primary(tag) == language)
  }

  @Test(
    arguments: [
      ("no", ["nb"], true), ("no", ["nn"], true), ("nb", ["no"], true), ("nb", ["nn"], false),
      ("nn", ["da", "no"], true), ("tl", ["fil"], true), ("fil", ["tl"], true),
      ("de", ["de"], true), ("de", ["nl"], false), ("no", [], false),
    ] as [(String, [String], Bool)])
  func `A language with several codes is found by each of them`(
    asked: String, known: [String], isFound: Bool
  ) {
    #expect(LanguageTag.isAny(known, of: asked) == isFound)
  }

  @Test func `A language that a user types must be complete`() {
    #expect(LanguageTag.primary(nil) == nil)
    #expect(LanguageTag.primary(typed: "En-us") == "en")
    for text in ["", "en-", "en--us", "en us", "en-ü", "en-abcdefghi", "engl"] {
      #expect(LanguageTag.primary(typed: text) == nil, "\(text)")
    }
  }
}
