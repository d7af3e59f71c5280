import SearchModel
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
