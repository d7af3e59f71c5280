import Testing
import TextFormats

struct ByteReplacementTests {
  @Test(
    arguments: [
      ("***", "***"), ("a%2Ab", "a*b"), ("%2A%2A", "**"), ("%2", "%2"), ("", ""),
      ("é%2Aé", "é*é"), ("a", "a"),
    ])
  func `Each occurrence of a part is replaced`(text: String, expected: String) {
    #expect(ByteSearch.replacing("%2A", in: text, with: "*") == expected)
  }

  @Test func `What replaces a part is not searched again`() {
    #expect(ByteSearch.replacing("ab", in: "aabb", with: "a") == "aab")
  }
}
