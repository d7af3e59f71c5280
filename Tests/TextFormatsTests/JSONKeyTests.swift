import Testing
import TextFormats

@Suite struct JSONKeyTests {
  @Test(
    arguments: [
      "", "a", "id", "text", "source", "reply_to", "created_at", "content_warning",
      "twenty_one_bytes_long", "twenty_two_bytes_long_", "a_key_that_is_longer_than_three_words",
    ] as [StaticString])
  func `A key is written like any other text`(name: StaticString) {
    var one = JSONWriter()
    var other = JSONWriter()
    one.beginObject()
    other.beginObject()
    for number in 0..<3 {
      one.key(JSONKey(name))
      one.integer(number)
      other.key("\(name)")
      other.integer(number)
      one.member(JSONKey(name), number)
      other.key("\(name)")
      other.integer(number)
      for text in ["", "plain", "a \"quoted\" one"] {
        var text = text
        text.withUTF8 { one.member(JSONKey(name), visible: $0) }
        other.key("\(name)")
        other.visibleString(text)
      }
    }
    one.endObject()
    other.endObject()
    let (written, expected) = (one.bytes, other.bytes)
    #expect(written == expected)
  }
}
