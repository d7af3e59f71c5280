import Testing
import TextFormats

@Suite struct JSONEndTests {
  @Test(arguments: [
    "{", "[", "[1,", #"{"a"#, #"{"a":"#, #"{"a": "b"#, #"{"a": "b\"#, #"{"a": "b\u00"#,
    #"["\ud83d"#, #"["\ud83d\u"#, "[tr", "[nul", "[12", "[1.", #"{"a": [{"b": 1}, {"#, " [",
  ])
  func `The beginning of an array or object ends early`(text: String) {
    #expect(JSON.endsEarly(Array(text.utf8)))
  }

  @Test func `A character that is cut is no other text`() {
    #expect(JSON.endsEarly(Array(#"["é"#.utf8).dropLast()))
  }

  @Test(arguments: [
    "", " ", "nul", "\"text", "<html>", "{}", "[1]", #"{"a": x}"#, "{a", "[1}", "[trx", "[]]",
    #"["\x"]"#, "{} {", "1.",
  ])
  func `Another text does not`(text: String) {
    #expect(!JSON.endsEarly(Array(text.utf8)))
  }
}
