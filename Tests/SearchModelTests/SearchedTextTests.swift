import SearchModel
@_spi(_Unicode) import Swift
import Testing

@Suite struct SearchedTextTests {
  @Test(
    arguments: [
      ("don't", "I don\u{2019}t"), ("don\u{2019}t", "I don't"), ("foo-bar", "a foo\u{2011}bar!"),
      ("hyphenation", "hy\u{AD}phen\u{AD}ation"), ("swift", "a sw\u{200B}if\u{2060}t\u{FEFF} one"),
      ("cafe", "Le café"), ("café", "le cafe"), ("cafe", "le cafe\u{301} là"),
      ("uber", "ÜBER alles"), ("viet nam", "Việt Nam"), ("istanbul", "İstanbul"),
      ("Swift", "ｓｗｉｆｔ"), ("#ｓｗｉｆｔ", "＃Swift"), ("ὀδυσσεύσ", "ὀδυσσεύς"),
      ("λόγοσ", "ΛΌΓΟΣ"), ("❤", "I \u{2764}\u{FE0F} it"), ("が", "あか゛ が い"),
    ])
  func `Spellings that people do not tell apart are found`(sought: String, text: String) {
    #expect(SearchedText(text).holds(SearchedText(sought)))
  }

  @Test func `Letters beyond ASCII are those without their marks`() {
    for value in Array(0xC0...0x24F) + Array(0x1E00...0x1EFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let letter = String(scalar)
      #expect(SearchedText(letter) == SearchedText(letter, ignoresAccents: true), "U+\(value)")
    }
  }

  @Test func `Composed and decomposed texts are the same, whatever stands beside the marks`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "a", "Z", "i", " ", "\n", "-", "é", "İ", "ß", "ﬁ", "Σ", "ς", "ά", "が", "각", "日", "й", "क",
      "ु",
      "\u{301}", "\u{323}", "\u{307}", "\u{3099}", "\u{AD}", "\u{200D}", "\u{2019}", "\u{A0}", "😀",
    ]
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...8, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let composed = String(String.UnicodeScalarView(text._nfc))
      let decomposed = String(String.UnicodeScalarView(text._nfd))
      #expect(SearchedText(text) == SearchedText(composed))
      #expect(SearchedText(text) == SearchedText(decomposed))
    }
  }

  @Test(
    arguments: [
      // Voicing marks and vowel signs make other letters.
      ("か", "が"), ("は", "ぱ"), ("क", "कि"), ("क", "कु"), ("และ", "แล"), ("и", "й"), ("cafe", "cafés"),
      ("ab", "a-b"), ("a", "ą\u{301}b"),
    ])
  func `Other letters and parts of words are not found`(sought: String, text: String) {
    #expect(!SearchedText(text).holds(SearchedText(sought)))
  }
}
