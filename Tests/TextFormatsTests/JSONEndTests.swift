import Testing
import TextFormats

@Suite struct JSONEndTests {
  @Test(arguments: [
    "{", "[", "[1,", #"{"a"#, #"{"a":"#, #"{"a": "b"#, #"{"a": "b\"#, #"{"a": "b\u00"#,
    #"["\ud83d"#, #"["\ud83d\u"#, "[tr", "[nul", "[12", "[1.", #"{"a": [{"b": 1}, {"#, " [",
  ])
  func `A truncated array or object ends early`(text: String) {
    #expect(JSON.endsEarly(Array(text.utf8)))
  }

  @Test func `A truncated character ends early`() {
    #expect(JSON.endsEarly(Array(#"["é"#.utf8).dropLast()))
  }

  @Test(arguments: [
    "", " ", "nul", "\"text", "<html>", "{}", "[1]", #"{"a": x}"#, "{a", "[1}", "[trx", "[]]",
    #"["\x"]"#, "{} {", "1.",
  ])
  func `Other text does not end early`(text: String) {
    #expect(!JSON.endsEarly(Array(text.utf8)))
  }
}
